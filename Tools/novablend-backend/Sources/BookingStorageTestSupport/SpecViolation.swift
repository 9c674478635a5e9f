import BookingStorage
import Contract

/// A store does not meet a requirement.
public struct SpecViolation: Error, CustomStringConvertible {
    /// What is wrong, with the line of the check.
    public let description: String
}

/// Throws a violation unless `condition` is true.
func expect(
    _ condition: Bool,
    _ message: @autoclosure () -> String = "the condition is false",
    file: StaticString = #fileID,
    line: UInt = #line
) throws {
    if !condition { throw SpecViolation(description: "\(file):\(line): \(message())") }
}

/// Throws a violation unless both values are equal.
func expectEqual<Value: Equatable>(
    _ value: Value,
    _ expected: Value,
    file: StaticString = #fileID,
    line: UInt = #line
) throws {
    try expect(value == expected, "\(value) is not \(expected)", file: file, line: line)
}

/// Throws a violation unless `body` fails with this error.
func expectError<Value>(
    _ expected: Problem,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: () async throws -> Value
) async throws {
    try await expectError(file: file, line: line, body) { $0 == expected }
}

/// Throws a violation unless `body` fails with an error that `matches`.
func expectError<Value>(
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: () async throws -> Value,
    matches: (Problem) -> Bool
) async throws {
    do {
        _ = try await body()
    } catch let error as Problem {
        return try expect(
            matches(error),
            "the error is \(error.kind): \(error)",
            file: file,
            line: line
        )
    }
    throw SpecViolation(description: "\(file):\(line): there is no error")
}
