// In C, since only `main` surely has the arguments; see NovaBlendBackendCommand's EntryPoint.swift.
int novablend_backend_run(int count, const char *const *values);

int main(int count, char **values) {
    return novablend_backend_run(count, (const char *const *)values);
}
