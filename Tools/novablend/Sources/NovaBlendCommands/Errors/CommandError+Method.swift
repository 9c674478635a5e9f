import CommandLineKit
import Glibc
import JSON
import JSONRPC
import NovaBlendMethods
import SystemSupport

extension CommandError {
    /// Creates an error that explains the error of a method.
    init(_ error: RPCError) {
        let data = error.dataObject
        let advice = ErrorAdvice.row(for: error.code, because: error.message)
        let key = data?.text("idempotencyKey")
        self.init(
            advice.exitCode,
            Self.message(of: error, data),
            note: advice.note,
            suggestions: Self.ownBooking(data)
                + advice.suggestions.map { line in
                    key.map { line.replacing("KEY", with: $0) } ?? line
                } + Self.alternativeTimes(data),
            underlyingError: error
        )
    }

    /// The reason in the error's data without a capital letter, because the program's name precedes it.
    /// The message itself is written for programs.
    private static func message(of error: RPCError, _ data: JSONObject?) -> String {
        if error == .requestCancelled { return "interrupted" }
        guard let reason = data?.text(ProgramError.reason) else { return error.message }
        return reason.prefix(1).lowercased() + reason.dropFirst()
    }

    /// Whether the reader of standard output has closed it.
    var isClosedPipe: Bool { (underlyingError as? SystemError)?.code == EPIPE }

    /// A command that was interrupted before it changed anything.
    static var interrupted: CommandError {
        CommandError(
            .interrupted,
            "interrupted",
            note: "nothing was changed",
            underlyingError: RPCError.requestCancelled
        )
    }

    /// Returns this error with the arguments and options of the command instead of the parameters
    /// of the method.
    func inTerms(of command: MethodCommand, _ invocation: Invocation) -> CommandError {
        var error = self
        error.suggestions = suggestions.map {
            $0.replacing("help COMMAND", with: "help \(command.name)")
        }
        if (underlyingError as? RPCError)?.dataObject?.text("parameter") != nil {
            for name in command.inputs.compactMap(\.parameter) {
                let spelling = command.spelling(of: name, in: invocation)
                error.message = error.message.replacing("\"\(name)\"", with: spelling)
            }
        }
        return error
    }

    /// The error for a script: the method's error, or an equivalent one.
    var rpcError: RPCError {
        if let error = underlyingError as? RPCError { return error }
        return switch exitCode {
        case .usage: .invalidParams(message)
        case .configuration: ProgramError.invalidConfiguration.error(message)
        case .inputOutput: ProgramError.inputOutput.error(message)
        case .notAllowed: ProgramError.declined.error(message)
        case .interrupted: .requestCancelled
        default: RPCError(code: -32_603, message: message)
        }
    }

    /// How to find the caller's own booking that takes the slot.
    private static func ownBooking(_ data: JSONObject?) -> [String] {
        guard let own = data?.child("ownBooking"), let time = own.text("appointmentTime") else {
            return []
        }
        let id = own.text("id").map { " \($0)" } ?? ""
        return ["novablend appointments, which shows your appointment\(id) at \(time)"]
    }

    private static func alternativeTimes(_ data: JSONObject?) -> [String] {
        let times = (data?.texts("alternatives") ?? []) + (data?.texts("candidates") ?? [])
        return times.isEmpty ? [] : ["one of these times: " + times.joined(separator: ", ")]
    }
}

extension RPCError {
    /// The error object of JSON-RPC.
    var encoded: JSONFragment {
        ObjectFragment { writer in
            writer.member("code", code)
            writer.member("message", message)
            writer.member("data", data)
        }.fragment
    }

    /// The error with the result of a call that succeeded before it.
    func addingResult(_ result: JSONFragment) -> RPCError {
        var error = self
        error.data = (data ?? .emptyObject).addingMember("result", result)
        return error
    }

    /// The members of `data`; nil if it is not an object.
    var dataObject: JSONObject? {
        data.flatMap { try? JSONDocument(parsing: $0.bytes).root.object() }
    }
}
