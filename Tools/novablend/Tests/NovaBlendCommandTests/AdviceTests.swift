import JSON
import JSONRPC
import NovaBlendMethods
import Testing

@testable import NovaBlendCommand

@Suite("What a person is told of an error")
struct AdviceTests {
    @Test("says for each error of the program what was kept and what to try")
    func complete() {
        for error in ProgramError.allCases {
            let rows = Advice.all.filter { $0.code == error.code }
            #expect(rows.count == 1, "\(error)")
            #expect(rows.allSatisfy { !$0.kept.isEmpty && !$0.tries.isEmpty }, "\(error)")
        }
        #expect(Set(Advice.all.map(\.code)).count == Advice.all.count)
    }

    @Test("names commands and options that there are")
    func commands() throws {
        for line in Advice.all.flatMap(\.tries) {
            let words = line.split { " ,".contains($0) }.map(String.init)
            if words.first == "novablend", let name = words.dropFirst().first, name != "help",
                !name.hasPrefix("-")
            {
                #expect(Command.all.contains { $0.name == name }, "\(line)")
            }
            for option in words where option.hasPrefix("--") && option != "--version" {
                let known = Command.all.flatMap(\.options).contains { "--\($0.name)" == option }
                #expect(known, "\(line)")
            }
        }
    }

    @Test("has the reason, the key and the times that the error has")
    func details() {
        let data = JSONFragment { writer in
            writer.object { writer in
                writer.member("idempotencyKey", "k1")
                writer.member("alternatives", ["2026-05-01T10:30:00+0200"])
            }
        }
        let failure = CommandFailure(RPCError(code: 1_206, message: "Sent: lost", data: data))
        #expect(failure.exit == .inDoubt)
        #expect(failure.lines.first == "it may have been done, and the answer does not tell: lost")
        let text = failure.lines.joined(separator: "\n")
        #expect(text.contains("--key k1,") && text.contains("2026-05-01T10:30:00+0200"))
    }

    @Test("of a code that nobody knows is a failure all the same")
    func unknown() {
        #expect(CommandFailure(RPCError(code: 4_711, message: "m")).exit == .failed)
        #expect(CommandFailure(RPCError(code: -32_603, message: "m")).exit == .internalError)
    }
}
