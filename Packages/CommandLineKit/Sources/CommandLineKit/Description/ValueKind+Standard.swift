extension ValueKind {
    /// Any text that is not empty.
    public static func text(_ placeholder: String) -> ValueKind { ValueKind(placeholder) }

    /// A path.
    public static let file = ValueKind("FILE", completion: .files)

    /// An absolute path of a directory.
    public static let absoluteDirectory = ValueKind("DIR", completion: .directories) { value in
        value.hasPrefix("/") ? nil : "must be an absolute path"
    }

    /// An integer in `range`. An upper bound of `Int.max` means no upper bound.
    public static func integer(
        _ range: ClosedRange<Int>,
        _ placeholder: String = "N"
    ) -> ValueKind {
        let bounds =
            range.upperBound == .max
            ? "of at least \(range.lowerBound)"
            : "from \(range.lowerBound) to \(range.upperBound)"
        return ValueKind(placeholder) { value in
            Int(value).map(range.contains) == true ? nil : "must be a whole number \(bounds)"
        }
    }

    /// A number of seconds from 0 to `maximum`, which may have decimals.
    public static func seconds(upTo maximum: Int) -> ValueKind {
        ValueKind("SECONDS") { value in
            decimal(value).map { $0 <= Double(maximum) } == true
                ? nil : "must be a number of seconds from 0 to \(maximum), such as 0.5"
        }
    }

    /// One of `values`. Without a placeholder, help shows the values separated by `|`.
    public static func choice(_ values: [String], _ placeholder: String? = nil) -> ValueKind {
        ValueKind(
            placeholder,
            completion: .words(values),
            listedValues: placeholder == nil ? [] : values
        ) { value in
            values.contains(value) ? nil : "must be \(alternatives(values))"
        }
    }

    /// A URL with a host and one of `schemes`. What follows the host is not checked.
    ///
    /// - Parameters:
    ///   - schemes: The accepted schemes, in lower case.
    ///   - example: A valid URL, for the error message.
    ///   - keyword: A word that is accepted instead of a URL.
    public static func url(
        schemes: [String] = ["http", "https"],
        example: String = "https://server.example",
        or keyword: String? = nil
    ) -> ValueKind {
        let expected = keyword.map { "\($0) or " } ?? ""
        return ValueKind("URL", completion: keyword.map { .words([$0]) } ?? .none) { value in
            value == keyword || isURL(value, schemes)
                ? nil : "must be \(expected)a URL such as \(example)"
        }
    }

    private static func isURL(_ value: String, _ schemes: [String]) -> Bool {
        let lowercase = value.lowercased()
        guard let scheme = schemes.first(where: { lowercase.hasPrefix("\($0)://") }),
            let first = value.dropFirst(scheme.count + 3).first
        else { return false }
        return !"/:?#@".contains(first) && !value.contains(where: \.isWhitespace)
    }

    /// Parses digits and at most one decimal point. `Double.init` also accepts `inf` and `0x1p3`.
    private static func decimal(_ value: String) -> Double? {
        let isPlain = value.allSatisfy { "0"..."9" ~= $0 || $0 == "." } && value.first != "."
        return isPlain ? Double(value) : nil
    }

    /// `a`, `a or b`, or `a, b, or c`.
    static func alternatives(_ values: [String]) -> String {
        guard let last = values.last, values.count > 2 else {
            return values.joined(separator: " or ")
        }
        return values.dropLast().joined(separator: ", ") + ", or " + last
    }
}
