#include "NovaBlendPQ.h"

#include <dlfcn.h>
#include <stdio.h>

struct nb_pq_table nb_pq_functions;

static bool fail(char *message, const char *reason) {
    snprintf(message, nb_pq_message_size, "%s", reason ? reason : "unknown error");
    return false;
}

static bool find_functions(void *library, struct nb_pq_table *table, char *message) {
    void *symbol;
#define NB_PQ_FIND(result, name, function, parameters, arguments)                                  \
    symbol = dlsym(library, "PQ" #function);                                                       \
    if (symbol == NULL) return fail(message, dlerror());                                           \
    *(void **)&table->name = symbol;
    NB_PQ_FUNCTIONS(NB_PQ_FIND)
#undef NB_PQ_FIND
    return true;
}

bool nb_pq_load(const char *name, char message[nb_pq_message_size]) {
    struct nb_pq_table table;
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return fail(message, dlerror());
    if (!find_functions(library, &table, message)) {
        dlclose(library);
        return false;
    }
    nb_pq_functions = table;
    return true;
}
