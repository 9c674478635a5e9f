import CommandLineKit

/// An argument or option of a command that calls a method, and the parameter that it sets.
struct MethodInput: Sendable {
    /// The kind of a typed value, which determines how the value is converted for the method.
    enum Kind: Sendable, Hashable {
        case flag
        case text(String)
        case choice([String], String? = nil)
        case integer(ClosedRange<Int>)
        case file
        /// Names of members of the listed elements, separated by commas. Requires `--json`.
        case fields
        /// A salon's id, or text that finds one salon.
        case salon
        /// A salon's id, or words that several salons can have.
        case salonWords
        /// The id or the name of a service of the salon.
        case service
        /// The id or the name of a staff member of the salon, or the word `anyone`, which sets the
        /// boolean parameter that the associated value names, or none if that is nil.
        case staffMember(anyone: String? = nil)
        /// An appointment's id.
        case appointment
        /// A day and a time of day, in a form that `TypedTime` accepts.
        case time
        /// The start of a range, in a form that `TypedTime` accepts. A day means its beginning.
        case startTime
        /// The exclusive end of a range, in a form that `TypedTime` accepts. A day means its end.
        case endTime
        /// A day in a form that `TypedTime` accepts.
        case day
    }

    enum Syntax: Sendable {
        case argument(Argument<String>)
        case option(Option<String>)
        case flag(Option<Bool>)
    }

    let syntax: Syntax
    let kind: Kind
    /// The parameter that the input sets; nil if the command uses it in a different way.
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

    /// An option. By default it sets the parameter of its own name; a day sets none, because the
    /// command makes a range of it.
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
        let standard = kind == .day ? nil : name
        return MethodInput(syntax: .option(option), kind: kind, parameter: parameter ?? standard)
    }

    static func flag(
        _ name: String,
        sets parameter: String? = nil,
        _ summary: String
    ) -> MethodInput {
        MethodInput(syntax: .flag(Option(name, summary)), kind: .flag, parameter: parameter)
    }

    /// The name as a person types it.
    var spelling: String {
        switch syntax {
        case .argument(let argument): argument.name
        case .option(let option): "--\(option.name)"
        case .flag(let option): "--\(option.name)"
        }
    }
}

extension Invocation {
    /// The typed value of an input; empty for a flag, and nil if the input was omitted.
    subscript(input: MethodInput) -> String? {
        switch input.syntax {
        case .argument(let argument): self[argument]
        case .option(let option): self[option] ?? (has(option) ? "" : nil)
        case .flag(let option): has(option) ? "" : nil
        }
    }
}

extension MethodInput.Kind {
    /// The kind of the typed text. The text of an integer is also valid JSON.
    fileprivate var valueKind: ValueKind<String> {
        switch self {
        case .flag: .text("")
        case .text(let placeholder): .text(placeholder)
        case .choice(let values, let placeholder): .choice(values, placeholder)
        case .integer(let range): ValueKind.integer(range).map(\.description)
        case .file: .file
        case .fields: .text("NAMES")
        case .salon, .salonWords: .text("SALON", completion: .candidates)
        case .service: .text("SERVICE", completion: .candidates)
        case .staffMember: .text("NAME", completion: .candidates)
        case .appointment: .text("ID")
        case .time, .startTime, .endTime: .text("TIME", completion: .candidates)
        case .day: .text("DAY", completion: .words(TypedTime.dayWords))
        }
    }
}

/// Inputs that several commands share.
extension MethodInput {
    /// A salon, whose id becomes the value of `parameter`.
    static func salon(sets parameter: String) -> MethodInput {
        argument(
            "SALON",
            .salon,
            sets: parameter,
            "the salon's id, or text that matches only one salon"
        )
    }

    static let service = option(
        "service",
        .service,
        sets: "serviceId",
        "the service: its name or id, from novablend services"
    )
    static let staffMember = option(
        "with",
        .staffMember(),
        sets: "staffId",
        "the staff member: the name or id, from novablend staff (default: anyone who is free)"
    )
    static let seats = option(
        "seats",
        .integer(1...1_000),
        "the number of seats, for a salon without staff (default: 1)"
    )
    static let phone = option(
        "phone",
        .text("PHONE"),
        isRequired: true,
        "the customer's phone number"
    )
    static let time = argument(
        "TIME",
        .time,
        sets: "appointmentTime",
        "a time from novablend slots, or a local time of the salon such as 'tomorrow 9:00' or "
            + "'mon 14:30'"
    )
    static let appointment = argument(
        "ID",
        .appointment,
        sets: "id",
        "the appointment's id, from novablend appointments"
    )
    static let limit = option("limit", .integer(1...Int.max), "the maximum number of results")
    static let cursor = option(
        "cursor",
        .text("CURSOR"),
        "continue a list: the nextCursor of the previous page"
    )
    static let fields = option(
        "fields",
        .fields,
        "with --json, only these members, such as name,phone; the id is always included"
    )
    static let policy = option(
        "policy",
        .choice(["serverFirst", "serverOnly", "cacheOnly", "cacheFirst"], "POLICY"),
        "where a list comes from (default: serverFirst). serverFirst: from the server, or from the "
            + "cache if there is no connection or the server is slow. serverOnly: from the server, or "
            + "an error. cacheOnly: from the cache. cacheFirst: from the cache if it is fresh, otherwise "
            + "from the server"
    )
    static let key = option(
        "key",
        .text("KEY"),
        sets: "idempotencyKey",
        "an idempotency key: repeating the command with the same key has no further effect"
    )
    static let dryRun = flag("dry-run", sets: "dryRun", "show what would happen; change nothing")
    static let version = option(
        "version",
        .integer(0...Int.max),
        "make the change only if the appointment still has this version"
    )
}
