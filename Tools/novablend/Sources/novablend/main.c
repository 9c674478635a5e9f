// In C, since only `main` surely has the arguments; see NovaBlendCommands' EntryPoint.swift.
void novablend_run(int count, const char *const *values);

int main(int count, char **values) {
    novablend_run(count, (const char *const *)values);
    return 0;
}
