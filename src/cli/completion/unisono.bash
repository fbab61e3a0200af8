# Completion of unisono for bash. Which commands and options there are, the program itself tells.
_unisono() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} i
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || { [ "$command" = help ] && [ "$COMP_CWORD" -eq 2 ]; }; then
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" complete 2>/dev/null | cut -f1)" -- "$word")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" complete "$command" 2>/dev/null | cut -f1)" -- "$word")
    elif [[ " run mpirun mpiexec mpi " == *" $command "* ]]; then
        for ((i = 2; i < COMP_CWORD; i++)); do # the first word that is neither an option nor a number is the program
            [[ ${COMP_WORDS[i]} == -* || ${COMP_WORDS[i]} == [0-9]* ]] || return
        done
        mapfile -t COMPREPLY < <(compgen -c -- "$word")
    fi
}
complete -o bashdefault -o default -F _unisono unisono
