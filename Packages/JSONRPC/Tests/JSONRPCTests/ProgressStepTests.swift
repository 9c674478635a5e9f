import JSON
import JSONRPCTestSupport
import Testing

@testable import JSONRPC

@Suite("Progress with a total", .timeLimit(.minutes(10)))
struct ProgressStepTests {
    private func percentage(_ completed: Double?, _ total: Double?) -> Int? {
        ProgressStep(number: 1, message: "", title: "", completed: completed, total: total)
            .percentage
    }

    @Test("has a percentage from 0 to 100, rounded down")
    func percentages() {
        #expect(percentage(0, 3) == 0)
        #expect(percentage(2, 3) == 66)
        #expect(percentage(29, 50) == 58)
        #expect(percentage(3, 3) == 100)
        #expect(percentage(4, 3) == 100)
        #expect(percentage(-1, 3) == 0)
    }

    @Test("has no percentage if a number is unknown, or is not a number")
    func unknown() {
        #expect(percentage(nil, 3) == nil)
        #expect(percentage(1, nil) == nil)
        #expect(percentage(1, 0) == nil)
        #expect(percentage(.nan, 1) == nil)
        #expect(percentage(.infinity, 1) == nil)
        #expect(percentage(.greatestFiniteMagnitude, 1) == nil)
    }

    @Test("is sent as a percentage to callers with a workDoneToken")
    func workDone() async throws {
        let method = Method("steps", "Works.", result: .init("result", "null")) {
            call in
            call.report("one", completed: 1, of: 4)
            call.report("two", completed: 4, of: 4)
            return .null
        }
        let connection = try RawConnection(table: MethodTable([method]))
        let params = #"{"workDoneToken":7}"#
        connection.send(#"{"jsonrpc":"2.0","id":1,"method":"steps","params":\#(params)}"# + "\n")
        #expect(await connection.line()?.contains(#""message":"one","percentage":25}"#) == true)
        #expect(await connection.line()?.contains(#""message":"two","percentage":100}"#) == true)
        connection.endInput()
    }
}
