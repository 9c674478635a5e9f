/// The outcome and the system calls of one operation.
struct Recording: Sendable {
    /// The outcome that the process printed; empty if it was killed.
    let outcome: String
    /// The calls of the operation. `count` says which call of its name it is, counted from 1 since
    /// the start of the process.
    let numbered: [(call: SystemCall, count: Int)]

    var calls: [SystemCall] { numbered.map(\.call) }

    init(trace: String, outcome: String) {
        self.outcome = outcome
        var counts: [String: Int] = [:]
        var numbered: [(call: SystemCall, count: Int)] = []
        var hasBegun = false
        for call in trace.split(separator: "\n").compactMap(SystemCall.init) {
            counts[call.name, default: 0] += 1
            // The operation begins when it opens its directory, and ends when the outcome is
            // printed.
            if call.name == "openat2" { hasBegun = true }
            if call.name == "write" { break }
            if hasBegun { numbered.append((call, counts[call.name, default: 0])) }
        }
        self.numbered = numbered
    }
}
