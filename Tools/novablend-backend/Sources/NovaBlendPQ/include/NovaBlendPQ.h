#ifndef NOVABLEND_PQ_H
#define NOVABLEND_PQ_H

// By path, so that Swift finds libpq's types in the system library's module, not in this one.
#include "../../NovaBlendSystemPQ/shim.h"
#include <stdbool.h>

// libpq depends on more than twenty libraries, and loading them would take most of the program's
// startup time. So libpq is not linked, but loaded by name when a database of PostgreSQL is opened. The
// functions of its own header cannot be called; use the wrappers below.

/// The size of an error message of nb_pq_load.
enum { nb_pq_message_size = 512 };

/// Loads libpq and its functions. Returns false, with the reason in `message`, if the library or a
/// function is missing. Not thread-safe. Call the other functions only after it has returned true.
bool nb_pq_load(const char *library, char message[nb_pq_message_size]);

#define NB_PQ_FUNCTIONS(each) \
    each(clear) each(cmdStatus) each(cmdTuples) each(conninfoFree) each(conninfoParse) \
    each(connectdbParams) each(consumeInput) each(enterPipelineMode) each(errorMessage) \
    each(exec) each(finish) each(flush) each(getResult) each(getisnull) \
    each(getlength) each(getvalue) each(isBusy) each(nfields) each(ntuples) \
    each(parameterStatus) each(pipelineSync) each(resultErrorField) each(resultStatus) \
    each(sendPrepare) each(sendQueryPrepared) each(setNoticeReceiver) each(setnonblocking) \
    each(socket) each(status)

#define NB_PQ_DECLARE(name) __typeof__(PQ##name) *name;
struct nb_pq_table {
    NB_PQ_FUNCTIONS(NB_PQ_DECLARE)
};
#undef NB_PQ_DECLARE

extern struct nb_pq_table nb_pq_functions;

// The functions have the same parameters as in libpq, or fewer. All values are text.

static inline void nb_pq_clear(PGresult *result) { nb_pq_functions.clear(result); }
static inline char *nb_pq_cmd_status(PGresult *result) {
    return nb_pq_functions.cmdStatus(result);
}
static inline char *nb_pq_cmd_tuples(PGresult *result) {
    return nb_pq_functions.cmdTuples(result);
}
static inline void nb_pq_conninfo_free(PQconninfoOption *options) {
    nb_pq_functions.conninfoFree(options);
}
// Without the message of an error, because it quotes parts of the text.
static inline PQconninfoOption *nb_pq_conninfo_parse(const char *text) {
    return nb_pq_functions.conninfoParse(text, NULL);
}
static inline PGconn *nb_pq_connectdb_params(const char *const *keywords,
        const char *const *values, int expand_name) {
    return nb_pq_functions.connectdbParams(keywords, values, expand_name);
}
static inline int nb_pq_consume_input(PGconn *connection) {
    return nb_pq_functions.consumeInput(connection);
}
static inline int nb_pq_enter_pipeline_mode(PGconn *connection) {
    return nb_pq_functions.enterPipelineMode(connection);
}
static inline char *nb_pq_error_message(const PGconn *connection) {
    return nb_pq_functions.errorMessage(connection);
}
static inline PGresult *nb_pq_exec(PGconn *connection, const char *text) {
    return nb_pq_functions.exec(connection, text);
}
static inline void nb_pq_finish(PGconn *connection) { nb_pq_functions.finish(connection); }
static inline int nb_pq_flush(PGconn *connection) { return nb_pq_functions.flush(connection); }
static inline PGresult *nb_pq_get_result(PGconn *connection) {
    return nb_pq_functions.getResult(connection);
}
static inline int nb_pq_getisnull(const PGresult *result, int row, int column) {
    return nb_pq_functions.getisnull(result, row, column);
}
static inline int nb_pq_getlength(const PGresult *result, int row, int column) {
    return nb_pq_functions.getlength(result, row, column);
}
static inline char *nb_pq_getvalue(const PGresult *result, int row, int column) {
    return nb_pq_functions.getvalue(result, row, column);
}
static inline int nb_pq_is_busy(PGconn *connection) { return nb_pq_functions.isBusy(connection); }
static inline int nb_pq_nfields(const PGresult *result) {
    return nb_pq_functions.nfields(result);
}
static inline int nb_pq_ntuples(const PGresult *result) {
    return nb_pq_functions.ntuples(result);
}
static inline const char *nb_pq_parameter_status(const PGconn *connection, const char *name) {
    return nb_pq_functions.parameterStatus(connection, name);
}
static inline int nb_pq_pipeline_sync(PGconn *connection) {
    return nb_pq_functions.pipelineSync(connection);
}
static inline char *nb_pq_result_error_field(const PGresult *result, int code) {
    return nb_pq_functions.resultErrorField(result, code);
}
static inline ExecStatusType nb_pq_result_status(const PGresult *result) {
    return nb_pq_functions.resultStatus(result);
}
static inline int nb_pq_send_prepare(PGconn *connection, const char *name, const char *text) {
    return nb_pq_functions.sendPrepare(connection, name, text, 0, NULL);
}
static inline int nb_pq_send_query_prepared(PGconn *connection, const char *name, int count,
        const char *const *values) {
    return nb_pq_functions.sendQueryPrepared(connection, name, count, values, NULL, NULL, 0);
}
static inline void nb_pq_set_notice_receiver(PGconn *connection, PQnoticeReceiver receiver,
        void *context) {
    nb_pq_functions.setNoticeReceiver(connection, receiver, context);
}
static inline int nb_pq_setnonblocking(PGconn *connection, int value) {
    return nb_pq_functions.setnonblocking(connection, value);
}
static inline int nb_pq_socket(const PGconn *connection) {
    return nb_pq_functions.socket(connection);
}
static inline ConnStatusType nb_pq_status(const PGconn *connection) {
    return nb_pq_functions.status(connection);
}

#endif
