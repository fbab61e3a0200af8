# Completion of unisono for fish. Which commands and options there are, the program itself tells.
function __unisono_words --description 'The words before the one that is written'
    commandline --tokenize --cut-at-cursor --current-process
end
function __unisono_command --description 'True while the command is still to be named'
    set -l words (__unisono_words)
    test (count $words) -eq 1; or test "$words[2]" = help -a (count $words) -eq 2
end
function __unisono_options --description 'The options of the command that is named'
    set -l words (__unisono_words)
    $words[1] complete $words[2] 2>/dev/null
end
complete -c unisono -f -n __unisono_command -a '(command unisono complete 2>/dev/null)'
complete -c unisono -n 'not __unisono_command; and string match -q -- "-*" (commandline --current-token)' -a '(__unisono_options)'
