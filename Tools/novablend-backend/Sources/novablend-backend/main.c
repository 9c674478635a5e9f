// In C, because only `main` reliably gets the arguments; see EntryPoint.swift of
// NovaBlendBackendCommand.
int novablend_backend_run(int count, const char *const *values);

int main(int count, char **values) {
    return novablend_backend_run(count, (const char *const *)values);
}
