// The entry point is written in C, because only `main` is certain to get the arguments; see
// NovaBlendCommands' EntryPoint.swift.
void novablend_run(int count, const char *const *values);

int main(int count, char **values) {
    novablend_run(count, (const char *const *)values);
    return 0;
}
