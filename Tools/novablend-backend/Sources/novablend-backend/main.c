// In C, because only `main` reliably gets the arguments; see EntryPoint.swift of
// NovaBlendBackendCommand.
void novablend_backend_run(int count, const char *const *values);

int main(int count, char **values) {
    novablend_backend_run(count, (const char *const *)values);
    return 0;
}
