/* The module, and what it offers. */

#include "core.h"

static int add_all(PyObject *module) {
    PyMethodDef *const all[] = {core_session_methods, core_group_methods,    core_type_methods,
                                core_scalar_methods,  core_array_methods,    core_message_methods,
                                core_shared_methods,  core_exchange_methods, core_region_methods};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (PyModule_AddFunctions(module, all[i]))
            return -1;
    return PyModule_AddObjectRef(module, "Error", core_make_error()) ||
                   PyModule_AddObjectRef(module, "Message", core_make_message()) || !core_make_shared() ||
                   !core_make_region()
               ? -1
               : 0;
}

PyMODINIT_FUNC PyInit__core(void) {
    static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                            "unisono._core",
                                            "The library's functions, for the package unisono.",
                                            -1,
                                            NULL,
                                            NULL,
                                            NULL,
                                            NULL,
                                            NULL};
    PyObject *module = PyModule_Create(&definition);
    if (module && add_all(module)) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
