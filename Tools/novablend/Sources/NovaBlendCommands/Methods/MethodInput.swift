import CommandLineKit

/// An argument or option of a command that calls a method, and the parameter that it sets.
struct MethodInput: Sendable {
    /// What is typed; this decides how it becomes the value of a parameter.
    enum Kind: Sendable, Hashable {
        case flag
        case text(String)
        case choice([String], String? = nil)
        case integer(ClosedRange<Int>)
        case file
        /// A salon's id, or text that finds one salon.
        case salon
        /// An appointment's id.
        case appointment
        /// A time as a person writes it.
        case time
        /// A day as a person writes it.
        case day
    }

    enum Syntax: Sendable {
        case argument(Argument)
        case option(Option)
    }

    let syntax: Syntax
    let kind: Kind
    /// The parameter that it sets; nil if the command uses it in a different way.
    let parameter: String?

    static func argument(
        _ name: String,
        _ kind: Kind,
        isRequired: Bool = true,
        sets parameter: String? = nil,
        _ summary: String
    ) -> MethodInput {
        let argument = Argument(name, kind.valueKind, isRequired: isRequired, summary)
        return MethodInput(syntax: .argument(argument), kind: kind, parameter: parameter)
    }

    static func option(
        _ name: String,
        _ kind: Kind,
        isValueOptional: Bool = false,
        isRequired: Bool = false,
        sets parameter: String? = nil,
        _ summary: String
    ) -> MethodInput {
        let option = Option(
            name,
            kind.valueKind,
            isValueOptional: isValueOptional,
            isRequired: isRequired,
            summary
        )
        return MethodInput(syntax: .option(option), kind: kind, parameter: parameter)
    }

    static func flag(
        _ name: String,
        sets parameter: String? = nil,
        _ summary: String
    ) -> MethodInput {
        MethodInput(syntax: .option(Option(name, summary)), kind: .flag, parameter: parameter)
    }

    /// What was typed for it; nil if it was left out.
    func value(in invocation: Invocation) -> String? {
        switch syntax {
        case .argument(let argument): invocation.argument(argument.name)
        case .option(let option): invocation.option(option.name)
        }
    }

    /// Its name as it is typed.
    var spelling: String {
        switch syntax {
        case .argument(let argument): argument.name
        case .option(let option): "--\(option.name)"
        }
    }
}

extension MethodInput.Kind {
    fileprivate var valueKind: ValueKind {
        switch self {
        case .flag: .text("")
        case .text(let placeholder): .text(placeholder)
        case .choice(let values, let placeholder): .choice(values, placeholder)
        case .integer(let range): .integer(range)
        case .file: .file
        case .salon: .text("SALON")
        case .appointment: .text("ID")
        case .time: .text("TIME")
        case .day: ValueKind("DAY", completion: .words(["today", "tomorrow"]))
        }
    }
}

/// Inputs that several commands share.
extension MethodInput {
    /// A salon, which sets that parameter.
    static func salon(sets parameter: String) -> MethodInput {
        argument(
            "SALON",
            .salon,
            sets: parameter,
            "the salon's id, or text that matches only one salon"
        )
    }

    static let time = argument(
        "TIME",
        .time,
        sets: "appointmentTime",
        "as slots shows it, or like 'tomorrow 10:30' on the salon's clock"
    )
    static let appointment = argument(
        "ID",
        .appointment,
        sets: "id",
        "the appointment's id, as appointments shows it"
    )
    static let limit = option("limit", .integer(1...Int.max), sets: "limit", "the most to list")
    static let cursor = option(
        "cursor",
        .text("CURSOR"),
        sets: "cursor",
        "continue a list after this nextCursor"
    )
    static let policy = option(
        "policy",
        .choice(["serverFirst", "cacheOnly", "cacheFirst", "staleWhileRevalidate"], "POLICY"),
        sets: "policy",
        "where a list comes from: the server, or the cache without a connection (the default); "
            + "only the cache; the cache if it is fresh, else the server; the cache at any age, "
            + "which is then updated"
    )
    static let key = option(
        "key",
        .text("KEY"),
        sets: "idempotencyKey",
        "repeating the command with the same key has no further effect"
    )
    static let dryRun = flag("dry-run", sets: "dryRun", "report what would happen, change nothing")
    static let version = option(
        "version",
        .integer(0...Int.max),
        sets: "version",
        "only if the appointment still has this version"
    )
}
