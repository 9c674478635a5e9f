/// The file that a new file is about to replace.
enum ExistingFile {
    case absent
    /// A file that may be overwritten.
    case intact
    /// A file that is moved into quarantine instead of being overwritten.
    case damaged
}
