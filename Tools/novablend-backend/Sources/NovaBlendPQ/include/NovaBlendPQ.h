#ifndef NOVABLEND_PQ_H
#define NOVABLEND_PQ_H

// By path, so that Swift finds libpq's types in the system library's module, not in this one.
#include "../../NovaBlendSystemPQ/shim.h"
#include <stdbool.h>

// libpq depends on more than twenty libraries, and loading them would take most of the program's
// startup time. So libpq is not linked, but loaded by name when a PostgreSQL database is opened. The
// functions of its own header cannot be called; use the wrappers below.

/// The size of an error message of nb_pq_load.
enum { nb_pq_message_size = 512 };

/// Loads libpq and its functions. Returns false, with the reason in `message`, if the library or a
/// function is missing. Not thread-safe. Call the other functions only after it has returned true.
bool nb_pq_load(const char *library, char message[nb_pq_message_size]);

// Each function: its result, its name here, its name in libpq without PQ, its parameters, and what
// libpq gets. The parameters are the same as in libpq, or fewer. All values are text. `conninfo_parse`
// has no message of an error, because that would quote parts of the text.
#define NB_PQ_FUNCTIONS(each) \
    each(int, backend_pid, backendPID, (const PGconn *connection), (connection)) \
    each(void, clear, clear, (PGresult *result), (result)) \
    each(char *, cmd_status, cmdStatus, (PGresult *result), (result)) \
    each(char *, cmd_tuples, cmdTuples, (PGresult *result), (result)) \
    each(void, conninfo_free, conninfoFree, (PQconninfoOption *options), (options)) \
    each(PQconninfoOption *, conninfo_parse, conninfoParse, (const char *text), (text, NULL)) \
    each(PGconn *, connectdb_params, connectdbParams, \
        (const char *const *keywords, const char *const *values, int expand_name), \
        (keywords, values, expand_name)) \
    each(int, consume_input, consumeInput, (PGconn *connection), (connection)) \
    each(int, enter_pipeline_mode, enterPipelineMode, (PGconn *connection), (connection)) \
    each(char *, error_message, errorMessage, (const PGconn *connection), (connection)) \
    each(void, finish, finish, (PGconn *connection), (connection)) \
    each(int, flush, flush, (PGconn *connection), (connection)) \
    each(PGresult *, get_result, getResult, (PGconn *connection), (connection)) \
    each(int, getisnull, getisnull, \
        (const PGresult *result, int row, int column), (result, row, column)) \
    each(int, getlength, getlength, \
        (const PGresult *result, int row, int column), (result, row, column)) \
    each(char *, getvalue, getvalue, \
        (const PGresult *result, int row, int column), (result, row, column)) \
    each(int, is_busy, isBusy, (PGconn *connection), (connection)) \
    each(int, nfields, nfields, (const PGresult *result), (result)) \
    each(int, ntuples, ntuples, (const PGresult *result), (result)) \
    each(const char *, parameter_status, parameterStatus, \
        (const PGconn *connection, const char *name), (connection, name)) \
    each(int, pipeline_sync, pipelineSync, (PGconn *connection), (connection)) \
    each(char *, result_error_field, resultErrorField, \
        (const PGresult *result, int code), (result, code)) \
    each(ExecStatusType, result_status, resultStatus, (const PGresult *result), (result)) \
    each(int, send_prepare, sendPrepare, \
        (PGconn *connection, const char *name, const char *text), \
        (connection, name, text, 0, NULL)) \
    each(int, send_query_prepared, sendQueryPrepared, \
        (PGconn *connection, const char *name, int count, const char *const *values), \
        (connection, name, count, values, NULL, NULL, 0)) \
    each(PQnoticeReceiver, set_notice_receiver, setNoticeReceiver, \
        (PGconn *connection, PQnoticeReceiver receiver, void *context), \
        (connection, receiver, context)) \
    each(int, setnonblocking, setnonblocking, \
        (PGconn *connection, int value), (connection, value)) \
    each(int, socket, socket, (const PGconn *connection), (connection)) \
    each(ConnStatusType, status, status, (const PGconn *connection), (connection))

#define NB_PQ_DECLARE(result, name, function, parameters, arguments) __typeof__(PQ##function) *name;
struct nb_pq_table {
    NB_PQ_FUNCTIONS(NB_PQ_DECLARE)
};
#undef NB_PQ_DECLARE

extern struct nb_pq_table nb_pq_functions;

#define NB_PQ_DEFINE(result, name, function, parameters, arguments) \
    static inline result nb_pq_##name parameters { return nb_pq_functions.name arguments; }
NB_PQ_FUNCTIONS(NB_PQ_DEFINE)
#undef NB_PQ_DEFINE

#endif
