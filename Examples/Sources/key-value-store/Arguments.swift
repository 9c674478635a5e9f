import Persistence

/// The arguments of the program.
struct Arguments {
    var limits: FileSnapshotStore.Limits?
    var directory = ""
    var command = ""
    var operands: [String] = []

    init(_ words: [String]) {
        var words = words[...]
        while let option = words.first, option.hasPrefix("--") {
            guard let number = words.dropFirst().first.flatMap(Int.init) else {
                fail("\(option) requires a number")
            }
            var limits = limits ?? FileSnapshotStore.Limits()
            switch option {
            case "--maximum-age": limits.age = .seconds(number)
            case "--maximum-bytes": limits.bytes = number
            default: fail("unknown option \(option)")
            }
            self.limits = limits
            words = words.dropFirst(2)
        }
        guard words.count >= 2 else { fail("a directory and a command are required") }
        directory = words.removeFirst()
        command = words.removeFirst()
        operands = Array(words)
    }
}
