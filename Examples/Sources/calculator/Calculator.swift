import JSON
import JSONRPC

/// The methods of the server.
enum Calculator {
    struct Division: Codable, Sendable {
        var dividend: Double
        var divisor: Double

        func quotient() throws(RPCError) -> Quotient {
            if divisor == 0 { throw RPCError(code: 1, message: "division by zero") }
            return Quotient(quotient: dividend / divisor)
        }
    }

    struct Quotient: Codable, Sendable {
        var quotient: Double
    }

    static func methods() throws -> [Method] {
        let divide = Method(
            "divide",
            "Divides two numbers.",
            parameters: try .properties(
                of: Division.self,
                summaries: [
                    "dividend": "the number to divide",
                    "divisor": "the number to divide by, not 0",
                ]
            ),
            result: .init(
                "quotient",
                "the quotient",
                schema: try ObjectSchema(decoding: Quotient.self)
            )
        ) { (division: Division, _) in
            try division.quotient()
        }
        var sumOfSquares = sumOfSquares
        // `sumOfSquares` computes for a long time without suspending.
        sumOfSquares.mayRunInline = false
        return [divide, sumOfSquares]
    }

    /// A method that takes long, reports its progress, and can be cancelled.
    private static let sumOfSquares = Method(
        "sumOfSquares",
        "Adds the squares of all integers from 1 to a number.",
        parameters: [
            .init(
                "last",
                "the last number",
                isRequired: true,
                schema: .integer(in: 1...1_000_000_000)
            )
        ],
        result: .init("sum", "the sum, in double precision")
    ) { call throws(RPCError) in
        let last = try call.params.integer("last") ?? 1
        var sum = 0.0
        call.report("adding", completed: 0, of: Double(last))
        for number in 1...max(1, last) {
            sum += Double(number) * Double(number)
            if number % max(1, last / 4) == 0 {
                call.report("adding", completed: Double(number), of: Double(last))
            }
            if Task.isCancelled { throw .requestCancelled }
        }
        return JSONFragment { $0.number(sum) }
    }
}
