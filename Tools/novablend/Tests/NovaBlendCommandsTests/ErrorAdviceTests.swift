import CommandLineKit
import JSON
import JSONRPC
import NovaBlendMethods
import Testing

@testable import NovaBlendCommands

@Suite("The explanation of an error")
struct ErrorAdviceTests {
    @Test("suggests something to try for each error of the program")
    func complete() {
        for error in ProgramError.allCases {
            let advice = ErrorAdvice(error)
            #expect(advice.note != "" && !advice.suggestions.isEmpty, "\(error)")
        }
    }

    @Test("names only commands and options that exist")
    func commands() throws {
        let commands = NovaBlendProgram.program.commands
        let rows = ProgramError.allCases.map(ErrorAdvice.init) + ErrorAdvice.protocolTable.values
        for line in rows.flatMap(\.suggestions) {
            let words = line.split { " ,".contains($0) }.map(String.init)
            if words.first == "novablend", let name = words.dropFirst().first, name != "help",
                !name.hasPrefix("-")
            {
                #expect(commands.contains { $0.name == name }, "\(line)")
            }
            for option in words where option.hasPrefix("--") && option != "--version" {
                #expect(
                    commands.flatMap(\.allOptions).contains { "--\($0.name)" == option },
                    "\(line)"
                )
            }
        }
    }

    @Test("includes the reason, the key, and the times in the error")
    func details() {
        let data = JSONFragment { writer in
            writer.object { writer in
                writer.member("reason", "The request may have been carried out: lost: twice")
                writer.member("idempotencyKey", "k1")
                writer.member("alternatives", ["2026-05-01T10:30:00+0200"])
                writer.member("candidates", ["2026-05-01T11:30:00+0200"])
            }
        }
        let error = CommandError(RPCError(code: 1_206, message: "call resolve", data: data))
        #expect(error.exitCode == .inDoubt)
        #expect(error.message == "the request may have been carried out: lost: twice")
        #expect(
            error.suggestions == [
                "novablend resolve",
                "the same command with --key k1, which takes effect at most once",
                "one of these times: 2026-05-01T10:30:00+0200, 2026-05-01T11:30:00+0200",
            ]
        )
    }

    @Test("shows the message of an error without a reason, and says that an interruption is one")
    func message() {
        #expect(CommandError(RPCError(code: 1_202, message: "A: b")).message == "A: b")
        #expect(CommandError(RPCError(code: 1_202, message: "a")).suggestions.count == 1)
        #expect(CommandError(.requestCancelled).message == "interrupted")
    }

    @Test("names the caller's own booking that takes the slot")
    func ownBooking() {
        let data = JSONFragment { writer in
            writer.object { writer in
                writer.key("ownBooking")
                writer.object { writer in
                    writer.member("id", "a1")
                    writer.member("appointmentTime", "2026-05-01T10:30:00+0200")
                }
            }
        }
        let error = CommandError(RPCError(code: 1_202, message: "taken", data: data))
        #expect(
            error.suggestions.first
                == "novablend appointments, which shows your appointment a1 at "
                + "2026-05-01T10:30:00+0200"
        )
    }

    @Test("names arguments and options as a person types them, and the help of the command")
    func typedNames() throws {
        func error(_ reason: String) -> CommandError {
            CommandError(RPCError.invalidParams(reason, parameter: "appointmentTime"))
        }
        let typed = error(#""appointmentTime" is wrong"#).inTerms(
            of: .book,
            try invocation(["book", "a", "noon", "--phone", "1"])
        )
        #expect(typed.message == "TIME is wrong")
        #expect(typed.suggestions == ["novablend help book, which describes each value"])
        let other = error(#"use "notes" or "dryRun", not "x""#)
            .inTerms(of: .book, try invocation(["book", "a", "noon", "--phone", "1"]))
        #expect(other.message == #"use --notes or --dry-run, not "x""#)
        let rejected = CommandError(RPCError(code: 1_005, message: "m"))
            .inTerms(of: .salons, try invocation(["salons"]))
        #expect(rejected.suggestions.first?.hasSuffix("--token-command COMMAND") == true)
    }

    @Test("for an unknown code has a general exit code, and does not say what was changed")
    func unknown() {
        #expect(CommandError(RPCError(code: -32_603, message: "m")).note == nil)
        #expect(CommandError(RPCError(code: 4_711, message: "m")).exitCode == .failure)
        #expect(CommandError(RPCError(code: -32_603, message: "m")).exitCode == .internalError)
    }

    @Test("contains an error object for scripts")
    func script() {
        let original = RPCError(code: 1_204, message: "m")
        #expect(CommandError(original).rpcError.code == 1_204)
        #expect(CommandError(.usage, "m").rpcError.code == -32_602)
        #expect(CommandError(.configuration, "m").rpcError.code == 1_303)
        #expect(CommandError(.inputOutput, "m").rpcError.code == 1_106)
        #expect(CommandError(.notAllowed, "m").rpcError.code == 1_209)
        #expect(CommandError(.interrupted, "m").rpcError.code == -32_800)
        #expect(CommandError(.failure, "m").rpcError.code == -32_603)
    }
}
