import Glibc
import JSON
import MCP

/// Asks the user the questions of a server.
enum Form {
    /// Prints the message, and reads one line for each member of the form.
    static func fillIn(_ request: ElicitRequest) async -> ElicitResult {
        print(request.message)
        guard let properties = try? request.requestedSchema.object()["properties"]?.object() else {
            return .cancel
        }
        var members: [(name: String, value: JSONFragment)] = []
        for (name, schema) in properties {
            let type = (try? schema.object()["type"]?.string()) ?? "string"
            print("\(name) (\(type == "boolean" ? "y/n" : type)): ", terminator: "")
            fflush(nil)
            guard let line = readLine(), let value = value(line, type) else { return .cancel }
            members.append((name, value))
        }
        return .accept(
            ObjectFragment { writer in
                for (name, value) in members { writer.member(named: name, value) }
            }
        )
    }

    private static func value(_ line: String, _ type: String) -> JSONFragment? {
        switch type {
        case "boolean": JSONFragment { $0.bool(line == "y") }
        case "integer": Int(line).map { number in JSONFragment { $0.integer(number) } }
        case "number": Double(line).map { number in JSONFragment { $0.number(number) } }
        default: JSONFragment { $0.string(line) }
        }
    }
}
