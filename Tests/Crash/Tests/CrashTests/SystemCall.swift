/// A system call as strace with `-xx` writes it: `name(arguments) = result`.
struct SystemCall: Sendable {
    let name: String
    let arguments: [Substring]
    /// What it gave; nil when it failed, was made to fail, or never returned.
    let result: Int?
    let hasFailed: Bool
    let isInjected: Bool

    init?(line: Substring) {
        guard let open = line.firstIndex(of: "("), let equals = line.range(of: ") = ", from: open)
        else { return nil }
        name = String(line[..<open])
        arguments = line[line.index(after: open)..<equals.lowerBound]
            .split(separator: ",").map { $0.drop { $0 == " " } }
        let value = line[equals.upperBound...].prefix { $0 != " " }
        result = Int(value).flatMap { $0 < 0 ? nil : $0 }
        hasFailed = value.hasPrefix("-")
        isInjected = line.hasSuffix("(INJECTED)")
    }

    /// The integer at `index`; nil where there is none, as with `AT_FDCWD`.
    func integer(_ index: Int) -> Int? {
        arguments.indices.contains(index) ? Int(arguments[index]) : nil
    }

    /// The bytes of the string at `index`.
    func bytes(_ index: Int) -> [UInt8] {
        guard arguments.indices.contains(index) else { return [] }
        return arguments[index].split(separator: "\\x")
            .compactMap { UInt8($0.prefix(2), radix: 16) }
    }

    func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }
}

extension Substring {
    /// Where `part` is last; a string may have it too, but not as text.
    fileprivate func range(of part: String, from start: Index) -> Range<Index>? {
        var place = index(endIndex, offsetBy: -part.count, limitedBy: start)
        while let begin = place, begin > start {
            if self[begin...].hasPrefix(part) { return begin..<index(begin, offsetBy: part.count) }
            place = index(begin, offsetBy: -1, limitedBy: start)
        }
        return nil
    }
}
