package import Domain
import Synchronization

/// The text of a statement, whose parameters are `$1`, `$2`, and so on. Each connection prepares it
/// once.
///
/// It is a class because connections find their prepared statement by its identity. Declare each as
/// a static constant.
package final class SQL: Sendable {
    private static let declared = Mutex<[SQL]>([])
    /// The statements that were used so far. A test examines the plan of each one.
    package static var all: [SQL] { declared.withLock { $0 } }

    package let text: String
    /// The file and the line of the declaration.
    package let place: String

    package init(_ text: String, file: String = #fileID, line: Int = #line) {
        self.text = text
        place = "\(file):\(line)"
        Self.declared.withLock { $0.append(self) }
    }

    /// One parameter for each of `columns`, also separated by commas.
    package static func parameters(for columns: String) -> String {
        columns.split(separator: ",").indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    }
}

/// A value in the form in which a database receives it.
package enum SQLValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case text(String)
}

/// A value that can be passed to a statement.
package protocol SQLParameter: Sendable {
    var sqlValue: SQLValue { get }
}

extension Bool: SQLParameter {
    package var sqlValue: SQLValue { .boolean(self) }
}

extension Int64: SQLParameter {
    package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLParameter {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension String: SQLParameter {
    package var sqlValue: SQLValue { .text(self) }
}

extension Timestamp: SQLParameter {
    package var sqlValue: SQLValue { .integer(secondsSince1970) }
}

extension SalonID: SQLParameter {
    package var sqlValue: SQLValue { .text(description) }
}

extension Optional: SQLParameter where Wrapped: SQLParameter {
    package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
