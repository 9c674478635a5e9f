import Contract
import JSON

extension SalonList {
    /// Limits that allow a file of up to 1 GiB.
    private static let limits = JSONLimits(maximumBytes: 1 << 30)

    /// Adds the salons of a JSON text: an object with the list `salons`.
    mutating func readJSON(_ bytes: [UInt8]) {
        do {
            let root = try JSONDocument(parsing: bytes, limits: Self.limits).root.object()
            for salon in try root.required(SalonListCodec.key).array() { add(salon) }
            if root.count(where: { $0.key == "\(SalonListCodec.key)" }) > 1 {
                report("\(SalonListCodec.key) is present more than once; only the first was read")
            }
        } catch .mismatch(let path, let expected) {
            let error = JSONError.mismatch(path: path, expected: expected)
            report("\(error), as in {\"\(SalonListCodec.key)\": [...]}")
        } catch {
            if !readElements(of: bytes) { report("\(error)") }
        }
    }

    /// Adds the salons of a text that cannot be read, one by one, so that those are reported that
    /// cannot be read by themselves. Returns whether there is one.
    private mutating func readElements(of bytes: [UInt8]) -> Bool {
        let ranges = bytes.withUnsafeBytes { buffer in
            let key = "\"\(SalonListCodec.key)\""
            let members = JSONScanner.memberRanges(ofObjectIn: buffer)
            let list = members.first { buffer[$0.key].elementsEqual(key.utf8) }?.value
            guard let list else { return [Range<Int>]() }
            let array = UnsafeRawBufferPointer(rebasing: buffer[list])
            return JSONScanner.elementRanges(ofArrayIn: array).map {
                $0.lowerBound + list.lowerBound..<$0.upperBound + list.lowerBound
            }
        }
        var hasUnreadable = false
        var (line, position) = (1, 0)
        for range in ranges {
            line += bytes[position..<range.lowerBound].count { $0 == UInt8(ascii: "\n") }
            position = range.lowerBound
            do {
                add(try JSONDocument(parsing: Array(bytes[range]), limits: Self.limits).root)
            } catch {
                addUnreadable(error, line: line)
                hasUnreadable = true
            }
        }
        return hasUnreadable
    }

    /// - Parameter line: The line in which the text of the salon begins.
    private mutating func addUnreadable(_ error: JSONError, line: Int) {
        switch error {
        case .malformed(let reason, let position):
            addUnreadable(line: line + position.line - 1, "is not JSON: \(reason)")
        case .numberOutOfRange(let position):
            let message = "contains a number that is too large for 64 bits"
            addUnreadable(line: line + position.line - 1, message)
        default: addUnreadable(line: line, "is \(error)")
        }
    }
}
