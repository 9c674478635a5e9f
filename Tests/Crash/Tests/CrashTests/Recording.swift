/// What a process did for one work.
struct Recording: Sendable {
    /// What the work gave, as the process said; nothing where it was killed.
    let outcome: String
    /// The calls of the work, each with how many of its name the process had made with it.
    let numbered: [(call: SystemCall, count: Int)]

    var calls: [SystemCall] { numbered.map(\.call) }

    init(trace: String, outcome: String) {
        self.outcome = outcome
        var counts: [String: Int] = [:]
        var numbered: [(call: SystemCall, count: Int)] = []
        var hasBegun = false
        for call in trace.split(separator: "\n").compactMap(SystemCall.init) {
            counts[call.name, default: 0] += 1
            // The work begins where its directory is opened, and ends when it is told.
            if call.name == "openat2" { hasBegun = true }
            if call.name == "write" { break }
            if hasBegun { numbered.append((call, counts[call.name, default: 0])) }
        }
        self.numbered = numbered
    }
}
