extension ValueKind {
    /// Any text that is not empty.
    public static func text(_ placeholder: String) -> ValueKind { ValueKind(placeholder) }

    /// A path.
    public static let file = ValueKind("FILE", completion: .files)

    /// An absolute path of a directory.
    public static let absoluteDirectory = ValueKind("DIR", completion: .directories) { value in
        value.hasPrefix("/") ? nil : "must be an absolute path"
    }

    /// An integer.
    public static func integer(
        _ range: ClosedRange<Int>,
        _ placeholder: String = "N"
    ) -> ValueKind {
        let bounds =
            range.upperBound == .max
            ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
        return ValueKind(placeholder) { value in
            Int(value).map(range.contains) == true ? nil : "must be a number \(bounds)"
        }
    }

    /// Seconds from 0 to `maximum`, with decimals.
    public static func seconds(upTo maximum: Int) -> ValueKind {
        ValueKind("SECONDS") { value in
            decimal(value).map { $0 <= Double(maximum) } == true
                ? nil : "must be seconds from 0 to \(maximum), such as 0.5"
        }
    }

    /// One of `values`. Help shows the values, separated by `|`, or `placeholder` if there is one.
    public static func choice(_ values: [String], _ placeholder: String? = nil) -> ValueKind {
        ValueKind(
            placeholder ?? values.joined(separator: "|"),
            completion: .words(values),
            listedValues: placeholder == nil ? [] : values
        ) { value in
            values.contains(value) ? nil : "must be \(alternatives(values))"
        }
    }

    /// A URL with one of `schemes` and a host; only the beginning is checked.
    /// - Parameters:
    ///   - example: a valid URL, for the error.
    ///   - keyword: a word that is accepted in place of a URL.
    public static func url(
        schemes: [String] = ["http", "https"],
        example: String = "https://server.example",
        or keyword: String? = nil
    ) -> ValueKind {
        let expected = keyword.map { "\($0) or " } ?? ""
        return ValueKind("URL", completion: keyword.map { .words([$0]) } ?? .none) { value in
            value == keyword || isURL(value, schemes)
                ? nil : "must be \(expected)a URL like \(example)"
        }
    }

    private static func isURL(_ value: String, _ schemes: [String]) -> Bool {
        let lowercase = value.lowercased()
        guard let scheme = schemes.first(where: { lowercase.hasPrefix("\($0)://") }),
            let first = value.dropFirst(scheme.count + 3).first
        else { return false }
        return !"/:?#@".contains(first) && !value.contains(where: \.isWhitespace)
    }

    /// Digits and at most one decimal point: `Double.init` also accepts `inf` and `0x1p3`.
    private static func decimal(_ value: String) -> Double? {
        let isPlain = value.allSatisfy { "0"..."9" ~= $0 || $0 == "." } && value.first != "."
        return isPlain ? Double(value) : nil
    }

    private static func alternatives(_ values: [String]) -> String {
        guard let last = values.last, values.count > 1 else { return values.joined() }
        return values.dropLast().joined(separator: ", ") + " or " + last
    }
}
