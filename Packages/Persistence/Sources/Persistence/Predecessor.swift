/// What a new file comes in the place of.
enum Predecessor {
    case nothing
    /// A file that may go.
    case whole
    /// A file that is put aside.
    case damaged
}
