/// Sentences that help and the manual page share.
enum Manual {
    static let configuration =
        "Lines of key = value; a key is the name of an option from above, without its dashes, a "
        + "switch is true or false, # begins a comment. The command line wins. It is read from "
        + "--config FILE, else from $XDG_CONFIG_HOME/novablend/config "
        + "(~/.config/novablend/config), where it may be missing. Keys after [profile NAME] are "
        + "those of a profile; it inherits the keys above the first section, but for the server's "
        + "URLs and credentials."

    /// The environment variables, and what each is.
    static let environment: [(name: String, text: String)] = [
        ("NOVABLEND_PROFILE", "The profile, unless --profile names one."),
        ("NOVABLEND_TOKEN", "The token for the server of the selected profile."),
        ("https_proxy, http_proxy, no_proxy", "Used with --proxy environment alone."),
        ("XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME", "Absolute paths; else below HOME."),
        ("TZDIR", "The directory of time zones; /usr/share/zoneinfo otherwise."),
    ]

    /// What an argument is, with the values that there are.
    static func describe(_ argument: Argument) -> String {
        describe(argument.kind, argument.summary)
    }

    /// What an option is, with the values that there are.
    static func describe(_ option: Option) -> String {
        option.kind.map { describe($0, option.summary) } ?? option.summary
    }

    private static func describe(_ kind: ValueKind, _ summary: String) -> String {
        guard case .choice(let values, let name) = kind, !name.isEmpty else { return summary }
        return values.joined(separator: ", ") + ": " + summary
    }
}
