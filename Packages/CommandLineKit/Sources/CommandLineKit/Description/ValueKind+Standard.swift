extension ValueKind<String> {
    /// Any text that is not empty.
    public static func text(
        _ placeholder: String,
        completion: ShellCompletion = .none
    ) -> ValueKind {
        ValueKind(placeholder, "must not be empty", completion: completion) { text in
            text.isEmpty ? nil : text
        }
    }

    /// The path of a file or a directory.
    public static let file = text("FILE", completion: .files)

    /// An absolute path of a directory.
    public static let absoluteDirectory = ValueKind(
        "DIR",
        "must be an absolute path",
        completion: .directories
    ) { text in
        text.hasPrefix("/") ? text : nil
    }

    /// One of `values`. Without a placeholder, help shows the values separated by `|`.
    public static func choice(_ values: [String], _ placeholder: String? = nil) -> ValueKind {
        choice(values, placeholder) { values.contains($0) ? $0 : nil }
    }

    /// A URL with a host and one of `schemes`, and without white space. What follows the host is
    /// not checked further.
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
        ValueKind(
            "URL",
            "must be \(keyword.map { "\($0) or " } ?? "")a URL such as \(example)",
            completion: keyword.map { .words([$0]) } ?? .none
        ) { text in
            text == keyword || isURL(text, schemes) ? text : nil
        }
    }

    private static func isURL(_ text: String, _ schemes: [String]) -> Bool {
        let lowercase = text.lowercased()
        guard let scheme = schemes.first(where: { lowercase.hasPrefix("\($0)://") }),
            let first = text.dropFirst(scheme.count + 3).first
        else { return false }
        return !"/:?#@".contains(first) && !text.contains(where: \.isWhitespace)
    }
}

extension ValueKind where Value: FixedWidthInteger {
    /// An integer in `range`. An upper bound of `Int.max` means no upper bound.
    public static func integer(
        _ range: ClosedRange<Value>,
        _ placeholder: String = "N"
    ) -> ValueKind {
        ValueKind(placeholder, "must be a whole number \(bounds(of: range))") { text in
            Value(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    private static func bounds(of range: ClosedRange<Value>) -> String {
        Int(exactly: range.upperBound) == .max
            ? "of at least \(range.lowerBound)"
            : "from \(range.lowerBound) to \(range.upperBound)"
    }
}

extension ValueKind<Duration> {
    /// A number of seconds from 0 to `maximum`, which may have decimals. It is rounded to milliseconds.
    public static func seconds(upTo maximum: Int) -> ValueKind {
        ValueKind("SECONDS", "must be a number of seconds from 0 to \(maximum), such as 0.5") {
            guard let seconds = decimal($0), seconds <= Double(maximum) else { return nil }
            return .milliseconds(Int((seconds * 1_000).rounded()))
        }
    }

    /// Parses digits and at most one decimal point. `Double.init` also accepts `inf` and `0x1p3`.
    private static func decimal(_ text: String) -> Double? {
        let isPlain = text.allSatisfy { "0"..."9" ~= $0 || $0 == "." } && text.first != "."
        return isPlain ? Double(text) : nil
    }
}

extension ValueKind where Value: CaseIterable & RawRepresentable<String> {
    /// One of the cases of an enumeration, by its raw value. Without a placeholder, help shows the
    /// values separated by `|`.
    @inlinable
    public static func choice(_ type: Value.Type, _ placeholder: String? = nil) -> ValueKind {
        // Inlinable, because the raw values of an unknown type cost many instructions at startup.
        choice(Value.allCases.map { $0.rawValue }, placeholder) { Value(rawValue: $0) }
    }
}

extension ValueKind {
    @usableFromInline
    static func choice(
        _ values: [String],
        _ placeholder: String?,
        parse: @escaping @Sendable (String) -> Value?
    ) -> ValueKind {
        ValueKind(
            placeholder,
            "must be \(InvalidValue.alternatives(values))",
            completion: .words(values),
            listedValues: placeholder == nil ? [] : values,
            parse: parse
        )
    }
}
