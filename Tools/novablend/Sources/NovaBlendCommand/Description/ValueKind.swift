/// What an argument or the value of an option is.
enum ValueKind: Sendable, Hashable {
    case text(String)
    case integer(ClosedRange<Int>, String = "N")
    /// One of these; the name stands for them where they are many.
    case choice([String], String = "")
    case url
    /// The URL of a proxy, or `environment`.
    case proxy
    /// Seconds, with decimals, from 0.
    case seconds(most: Int)
    case file
    /// An absolute path.
    case directory
    /// A salon's id, or what finds one salon.
    case salon
    /// An appointment's id.
    case appointment
    /// A time as a person writes it.
    case time
    /// A day as a person writes it.
    case day

    /// What stands for the value in help.
    var placeholder: String {
        switch self {
        case .text(let name), .integer(_, let name): name
        case .choice(let values, let name): name.isEmpty ? values.joined(separator: "|") : name
        case .url, .proxy: "URL"
        case .seconds: "SECONDS"
        case .file: "FILE"
        case .directory: "DIR"
        case .salon: "SALON"
        case .appointment: "ID"
        case .time: "TIME"
        case .day: "DAY"
        }
    }

    /// The values that there are, where they can be listed.
    var values: [String] {
        switch self {
        case .choice(let values, _): values
        case .day: ["today", "tomorrow"]
        case .proxy: ["environment"]
        default: []
        }
    }

    /// What `value` must be and is not; nil when nothing can be said against it here. The value
    /// itself is never said: it may be a phone number.
    func objection(to value: String) -> String? {
        switch self {
        case .integer(let range, _):
            Int(value).map(range.contains) == true ? nil : "takes \(Self.describe(range))"
        case .choice(let values, _):
            values.contains(value) ? nil : "takes \(Self.list(values))"
        case .directory: value.hasPrefix("/") ? nil : "takes an absolute path"
        case .url: Self.isAddress(value) ? nil : "takes a URL like https://salons.example"
        case .proxy:
            value == "environment" || Self.isAddress(value, Self.proxySchemes)
                ? nil : "takes environment, or a URL like http://proxy.example:3128"
        case .seconds(let most):
            Self.seconds(value).map { $0 <= Double(most) } == true
                ? nil : "takes seconds from 0 to \(most), such as 0.5"
        default: value.isEmpty ? "takes a value that is not empty" : nil
        }
    }

    /// Whether it is `http` or `https` with a host behind; what else a URL must be, libcurl tells.
    private static func isAddress(
        _ value: String,
        _ schemes: [String] = ["http://", "https://"]
    ) -> Bool {
        let lowercase = value.lowercased()
        guard let scheme = schemes.first(where: lowercase.hasPrefix),
            let first = value.dropFirst(scheme.count).first
        else { return false }
        return !"/:?#@".contains(first) && !value.contains(where: \.isWhitespace)
    }

    private static let proxySchemes = ["http://", "https://", "socks5://", "socks5h://"]

    /// Digits and at most one decimal point: Swift would also read `inf` or `0x1p3`.
    private static func seconds(_ value: String) -> Double? {
        let isPlain = value.allSatisfy { "0"..."9" ~= $0 || $0 == "." } && value.first != "."
        return isPlain ? Double(value) : nil
    }

    private static func describe(_ range: ClosedRange<Int>) -> String {
        range.upperBound == .max
            ? "a number from \(range.lowerBound)"
            : "a number from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func list(_ values: [String]) -> String {
        guard let last = values.last, values.count > 1 else { return values.joined() }
        return values.dropLast().joined(separator: ", ") + " or " + last
    }
}
