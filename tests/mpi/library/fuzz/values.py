"""The values of the calls that are fuzzed, for generate.py: for each parameter of the table C's text of one that is
right, and of those that are wrong."""

INT_MIN, INT_MAX = "INT_MIN", "INT_MAX"

# The kinds of objects: of their handle the name, the null, and one of another kind.
OBJECTS = {
    "MPI_Comm": ("comm", "MPI_COMM_NULL", "MPI_INT"),
    "MPI_Group": ("group", "MPI_GROUP_NULL", "MPI_INT"),
    "MPI_Datatype": ("type", "MPI_DATATYPE_NULL", "MPI_COMM_WORLD"),
    "MPI_Op": ("op", "MPI_OP_NULL", "MPI_INT"),
    "MPI_Info": ("info", "MPI_INFO_NULL", "MPI_INT"),
    "MPI_Errhandler": ("errhandler", "MPI_ERRHANDLER_NULL", "MPI_INT"),
    "MPI_Request": ("request", "MPI_REQUEST_NULL", "MPI_INT"),
    "MPI_File": ("file", "MPI_FILE_NULL", "MPI_INT"),
    "MPI_Win": ("win", "MPI_WIN_NULL", "MPI_INT"),
    "MPI_Message": ("message", "MPI_MESSAGE_NULL", "MPI_INT"),
}

# Functions that end the library or begin it.
LEFT_OUT = {"Abort", "Finalize", "Init", "Init_thread"}

# The communicator that a function wants: one of a topology, or of two groups.
COMMUNICATORS = {
    "right.cart": ("Cart_coords", "Cart_get", "Cart_rank", "Cart_shift", "Cart_sub", "Cartdim_get"),
    "right.graph": ("Graph_get", "Graph_neighbors", "Graph_neighbors_count", "Graphdims_get"),
    "right.dist": ("Dist_graph_neighbors", "Dist_graph_neighbors_count"),
    "right.inter": ("Comm_remote_group", "Comm_remote_size", "Intercomm_merge"),
    "MPI_COMM_SELF": ("Intercomm_create",),
}

# Functions that are about two groups of ranks.
TWO_GROUPS = {"Comm_remote_group", "Comm_remote_size", "Intercomm_merge", "Intercomm_create", "Intercomm_create_from_groups"}

# Right values by the name of the parameter; and by function and name, where a function wants another value.
RIGHT = {
    "count": "2", "incount": "2", "outcount": "2", "sendcount": "2", "recvcount": "2", "blocklength": "2", "stride": "3",
    "insize": "64", "outsize": "64", "size": "64", "max_integers": "64", "max_addresses": "64", "max_datatypes": "64",
    "max_large_counts": "64", "maxdims": "8", "maxindegree": "8", "maxoutdegree": "8", "maxindex": "8", "maxedges": "8", "maxneighbors": "8",
    "lb": "0", "extent": "16", "dest": "right.rank", "source": "right.rank", "root": "0", "rank": "0", "tag": "7", "sendtag": "7",
    "recvtag": "7", "local_leader": "0", "remote_leader": "0", "n": "1", "ndims": "1", "nnodes": "right.size", "direction": "0", "disp": "1",
    "color": "0", "key": "0", "high": "0", "reorder": "0", "commute": "1", "flag": "0", "argc": "0", "typeclass": "MPI_TYPECLASS_INTEGER",
    "split_type": "MPI_COMM_TYPE_SHARED", "order": "MPI_ORDER_C", "p": "6", "r": "30", "errorclass": "new_errorclass()",
    "errorcode": "new_errorcode()", "error": "MPI_ERR_ARG", "keyval": "right.keyval", "comm_keyval": "right.comm_keyval",
    "type_keyval": "right.type_keyval", "indegree": "1", "outdegree": "1", "valuelen": "63", "logical_size": "4",
    "op": "MPI_SUM", "errhandler": "MPI_ERRORS_RETURN", "query_fn": "user_query", "free_fn": "user_free", "cancel_fn": "user_cancel",
    "comm_errhandler_fn": "user_errhandler", "argv": "NULL",
    **dict.fromkeys(("win_errhandler_fn", "file_errhandler_fn", "session_errhandler_fn"), "(void *)user_errhandler"),
    "weights": "MPI_UNWEIGHTED", "sourceweights": "MPI_UNWEIGHTED", "destweights": "MPI_UNWEIGHTED",
    "datarep": '"external32"', "key string": '"key"', "value string": '"value"', "stringtag": '"tag"',
    "string": '"text"', "comm_name": '"name"', "type_name": '"name"',
    "comm_copy_attr_fn": "MPI_COMM_DUP_FN", "comm_delete_attr_fn": "MPI_COMM_NULL_DELETE_FN", "copy_fn": "MPI_DUP_FN",
    "delete_fn": "MPI_NULL_DELETE_FN", "type_copy_attr_fn": "MPI_TYPE_DUP_FN", "type_delete_attr_fn": "MPI_TYPE_NULL_DELETE_FN",
    "partitions": "2", "partition": "0", "partition_low": "0", "partition_high": "1", "length": "1",
    "oldtype": "MPI_INT", "datatype": "MPI_INT", "sendtype": "MPI_INT", "recvtype": "MPI_INT", "value_type": "MPI_DOUBLE",
    "index_type": "MPI_INT", "request": "new_request()", "group": "right.group", "group1": "right.group", "group2": "right.group",
    "offset": "0", "whence": "MPI_SEEK_SET", "amode": "MPI_MODE_RDWR | MPI_MODE_CREATE", "etype": "MPI_INT", "filetype": "MPI_INT",
    "filename string": "file_name", "dtype_file_extent_fn": "user_extent",
    "win": "new_win()", "win_keyval": "right.win_keyval", "win_name": '"name"', "win_copy_attr_fn": "MPI_WIN_DUP_FN",
    "win_delete_attr_fn": "MPI_WIN_NULL_DELETE_FN", "target_rank": "0", "target_disp": "1", "origin_count": "2", "target_count": "2",
    "result_count": "2", "origin_datatype": "MPI_INT", "target_datatype": "MPI_INT", "result_datatype": "MPI_INT", "disp_unit": "4",
    "lock_type": "MPI_LOCK_SHARED", "assert": "0", "base": "memory[2]",
    "info": "right.info", "local_group": "right.own", "remote_group": "right.others", "peer_comm": "right.comm",
}
RIGHT_OF = {
    ("File_set_view", "disp"): "0", ("File_set_view", "datarep"): '"native"', ("File_delete", "filename"): "new_file_name()",
    ("Register_datarep", "datarep"): "new_datarep()",
    ("File_call_errhandler", "errorcode"): "MPI_ERR_ARG", ("Type_match_size", "size"): "4", ("Type_create_darray", "size"): "1",
    ("Type_create_f90_integer", "r"): "9", ("Alloc_mem", "size"): "64",
    ("Info_get_nthkey", "n"): "0", ("Comm_call_errhandler", "errorcode"): "MPI_ERR_ARG", ("Error_class", "errorcode"): "MPI_ERR_ARG",
    ("Error_string", "errorcode"): "MPI_ERR_ARG", ("Add_error_code", "errorclass"): "right.errorclass",
    ("Grequest_complete", "request"): "new_grequest()", ("Type_get_contents", "datatype"): "right.type",
    ("Type_get_contents_c", "datatype"): "right.type", ("Type_get_envelope", "datatype"): "right.type",
    ("Type_get_envelope_c", "datatype"): "right.type", ("Type_set_attr", "datatype"): "right.type",
    ("Type_get_attr", "datatype"): "right.type", ("Type_delete_attr", "datatype"): "right.type", ("Type_set_name", "datatype"): "right.type",
    ("Start", "request"): "new_persistent()", ("Startall", "array_of_requests"): "new_persistent()", ("Group_excl", "n"): "1",
    **{(f"Pready{form}", "request"): "new_partitioned(1)" for form in ("", "_list", "_range")},
    ("Parrived", "request"): "new_partitioned(0)", ("Intercomm_create", "peer_comm"): "right.comm", ("Intercomm_create", "remote_leader"): "1 - right.rank", ("Dims_create", "nnodes"): "6", ("Dims_create", "ndims"): "2",
    ("Cart_create", "ndims"): "1", ("Free_mem", "base"): "new_memory()",
    ("Win_attach", "win"): "new_dynamic_win()", ("Win_detach", "win"): "new_dynamic_win()",
    **{(name, "group"): "right.own" for name in ("Win_post", "Win_start")},
    ("Win_call_errhandler", "errorcode"): "MPI_ERR_ARG",
}

# The first numbers of a few arrays: others begin with 1. By ranks where that depends on it.
LISTS = {
    "displs": "0, 2", "sdispls": "0, 2", "rdispls": "0, 2", "recvcounts": "2, 2", "sendcounts": "2, 2", "array_of_displacements": "0, 16",
    "array_of_blocklengths": "2, 2", "ranks": "0", "ranks1": "0", "sources": "0", "destinations": "0", "edges": "0, 0", "coords": "0",
    "array_of_sizes": "4", "array_of_gsizes": "4", "array_of_subsizes": "2", "array_of_starts": "0", "degrees": "1",
    "array_of_partitions": "0", "array_of_distribs": "MPI_DISTRIBUTE_BLOCK", "array_of_dargs": "MPI_DISTRIBUTE_DFLT_DARG", "array_of_psizes": "1", "remain_dims": "1",
}

# Functions with numbers that may be anything: arrays, so that one that ends too early is not found out, and sizes of
# files and of memory.
UNCHECKED = {"Type_create_indexed_block", "Type_create_hindexed_block", "File_set_size", "File_preallocate", "File_set_view",
             "Win_allocate", "Win_allocate_shared"}

# Numbers (kinds.txt) of which one may stand for nothing, among those that stand for something.
NAMED = {"typeclass", "split", "order", "error"}
FREE = {"color", "key", "high", "reorder", "commute", "flag", "argc"}

# Code that a call needs beside its arguments, and to clean up after it, by the function's name without _c.
BEFORE = {
    **dict.fromkeys(("Recv", "Irecv", "Mprobe", "Improbe", "Probe", "Iprobe"), "expect_message();"),
    **dict.fromkeys(("Send", "Ssend", "Bsend", "Rsend", "Isend", "Issend", "Ibsend", "Irsend"), "expect_receive();"),
    "Buffer_detach": "MPI_Buffer_attach(memory[0], 64);", "Comm_detach_buffer": "MPI_Comm_attach_buffer(right.comm, memory[0], 64);",
    **dict.fromkeys(("Comm_delete_attr", "Comm_get_attr"), "MPI_Comm_set_attr(right.comm, right.comm_keyval, memory);"),
    **dict.fromkeys(("Attr_delete", "Attr_get"), "MPI_Attr_put(right.comm, right.keyval, memory);"),
    **dict.fromkeys(("Type_delete_attr", "Type_get_attr"), "MPI_Type_set_attr(right.type, right.type_keyval, memory);"),
    **{f"File_{way}{name}_end": f"MPI_File_{way}{name}_begin(right.file, {first}memory[0], 2, MPI_INT);"
       for way in ("read", "write") for name, first in (("_all", ""), ("_ordered", ""), ("_at_all", "0, "))},
    **dict.fromkeys(("Win_delete_attr", "Win_get_attr"), "MPI_Win_set_attr(win, right.win_keyval, memory);"),
    **dict.fromkeys(("Put", "Get", "Accumulate", "Get_accumulate", "Fetch_and_op", "Compare_and_swap", "Rput", "Rget", "Raccumulate",
                     "Rget_accumulate", "Win_flush", "Win_flush_all", "Win_flush_local", "Win_flush_local_all", "Win_sync",
                     "Win_unlock_all"), "MPI_Win_lock_all(0, win);"),
    "Win_unlock": "MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);", "Win_complete": "start_win(win);",
    **dict.fromkeys(("Win_wait", "Win_test"), "complete_win(win);"), "Win_start": "MPI_Win_post(right.own, 0, win);",
    "Win_detach": "MPI_Win_attach(win, memory[2], 64);",
    "Remove_error_string": 'MPI_Add_error_string(errorcode, "text");',
    **dict.fromkeys(("Info_get", "Info_get_string", "Info_get_valuelen", "Info_delete", "Info_get_nthkey"),
                    'MPI_Info_set(right.info, "key", "value");'),
}
AFTER = {
    **{f"File_{way}{name}_begin": f"MPI_File_{way}{name}_end(fh, memory[0], MPI_STATUS_IGNORE);"
       for way in ("read", "write") for name in ("_all", "_ordered", "_at_all")},
    "Grequest_start": "MPI_Grequest_complete(*request);",
    "Buffer_attach": "void *at; int bytes; MPI_Buffer_detach(&at, &bytes);",
    "Comm_attach_buffer": "void *at; int bytes; MPI_Comm_detach_buffer(right.comm, &at, &bytes);",
    "Alloc_mem": "MPI_Free_mem(*(void **)baseptr);",
}
