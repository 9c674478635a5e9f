import JSON

/// Parses arbitrary bytes. A value that the parser accepts must be written so that it is read back the
/// same.
public func fuzzJSON(_ bytes: UnsafeRawBufferPointer) {
    checkBounds(in: bytes)
    guard let root = try? JSONDocument(parsing: bytes).root else { return }
    let written = rewritten(root)
    guard let again = try? JSONDocument(parsing: written).root else {
        preconditionFailure("the writer's output is not JSON")
    }
    precondition(rewritten(again) == written, "the writer's output is read back differently")
    checkParts(of: root, in: bytes)
    checkCodable(root)
}

/// Every text can be decoded as a `Codable` type, and what that encodes is decoded to the same value.
private func checkCodable(_ root: JSONValue) {
    do {
        let value = try root.decode(AnyJSON.self)
        let encoded = try JSONFragment(encoding: value).bytes
        let again = try JSONDocument(parsing: encoded).root.decode(AnyJSON.self)
        precondition(again == value, "an encoded value is decoded differently")
    } catch {
        preconditionFailure("\(error)")
    }
}

private func rewritten(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.value(value)
    return JSONFragment(writer).bytes
}

/// For any text, the scanner's ranges must be within the bytes, and each must be after the one before.
private func checkBounds(in bytes: UnsafeRawBufferPointer) {
    var end = 0
    func check(_ range: Range<Int>) {
        precondition(end <= range.lowerBound, "two ranges overlap or are out of order")
        precondition(range.upperBound <= bytes.count, "a range ends outside the bytes")
        end = range.upperBound
    }
    for member in JSONScanner.memberRanges(ofObjectIn: bytes) {
        check(member.key)
        check(member.value)
    }
    end = 0
    for element in JSONScanner.elementRanges(ofArrayIn: bytes) { check(element) }
}

/// For valid text, the scanner and the tape must find the same members and elements, because a batch
/// pairs them by position.
private func checkParts(of root: JSONValue, in bytes: UnsafeRawBufferPointer) {
    if let object = try? root.object() {
        let ranges = JSONScanner.memberRanges(ofObjectIn: bytes)
        let members = Array(object)
        precondition(ranges.count == members.count, "the scanner finds other members")
        for (range, member) in zip(ranges, members) {
            precondition(parsed(bytes, range.key) == JSONFragment { $0.string(member.key) }.bytes)
            precondition(parsed(bytes, range.value) == rewritten(member.value))
            let path = member.value.path.description
            precondition(path == member.key || path.hasPrefix("[\""))
        }
    }
    if let array = try? root.array() {
        let ranges = JSONScanner.elementRanges(ofArrayIn: bytes)
        precondition(ranges.count == array.count, "the scanner finds other elements")
        for (position, (range, element)) in zip(ranges, array).enumerated() {
            precondition(parsed(bytes, range) == rewritten(element))
            precondition(element.path == "[\(position)]")
        }
    }
}

private func parsed(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> [UInt8]? {
    let part = UnsafeRawBufferPointer(rebasing: bytes[range])
    return (try? JSONDocument(parsing: part)).map { rewritten($0.root) }
}
