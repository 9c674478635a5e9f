/// A system call, parsed from a line of `strace -xx`: `name(arguments) = result`.
struct SystemCall: Sendable {
    let name: String
    let arguments: [Substring]
    /// The result; nil if the call failed or never returned.
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

    /// The argument at `index` as an integer; nil if it is not one, such as `AT_FDCWD`.
    func integer(_ index: Int) -> Int? {
        arguments.indices.contains(index) ? Int(arguments[index]) : nil
    }

    /// The bytes of the string argument at `index`.
    func bytes(_ index: Int) -> [UInt8] {
        guard arguments.indices.contains(index) else { return [] }
        return arguments[index].split(separator: "\\x")
            .compactMap { UInt8($0.prefix(2), radix: 16) }
    }

    func text(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }
}

extension Substring {
    /// The last occurrence of `part`. A string argument cannot contain it, since `-xx` writes
    /// strings in hexadecimal.
    fileprivate func range(of part: String, from start: Index) -> Range<Index>? {
        var candidate = index(endIndex, offsetBy: -part.count, limitedBy: start)
        while let begin = candidate, begin > start {
            if self[begin...].hasPrefix(part) { return begin..<index(begin, offsetBy: part.count) }
            candidate = index(begin, offsetBy: -1, limitedBy: start)
        }
        return nil
    }
}
