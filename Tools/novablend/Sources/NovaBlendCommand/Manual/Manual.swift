/// Sentences that help and the manual page share.
enum Manual {
    static let configuration =
        "Lines of key = value; a key is the name of an option from above, without its dashes, a "
        + "switch is true or false, # begins a comment. The command line wins. It is read from "
        + "--config FILE, else from $XDG_CONFIG_HOME/novablend/config "
        + "(~/.config/novablend/config), where it may be missing."

    /// What an argument is, with the values that there are.
    static func describe(_ argument: Argument) -> String {
        let values = argument.kind.values
        if values.isEmpty { return argument.summary }
        return values.joined(separator: ", ") + ": " + argument.summary
    }
}
