import JSON

/// Collects the parameters of a call.
struct Parameters: Sendable {
    private var members: [(name: String, value: JSONFragment)] = []

    init() {}

    /// The parameters as one object.
    var fragment: JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                for (name, value) in members { writer.member(named: name, value) }
            }
        }
    }

    /// The value of a parameter; nil if it is not set. Setting nil removes it.
    subscript(name: String) -> JSONFragment? {
        get { members.first { $0.name == name }?.value }
        set {
            members.removeAll { $0.name == name }
            if let newValue { members.append((name, newValue)) }
        }
    }

    func has(_ name: String) -> Bool { members.contains { $0.name == name } }

    mutating func set(_ name: String, _ text: String) {
        set(name, JSONFragment { $0.string(text) })
    }

    mutating func set(_ name: String, _ number: Int) {
        set(name, JSONFragment { $0.integer(number) })
    }

    mutating func set(_ name: String, _ flag: Bool) {
        set(name, JSONFragment { $0.bool(flag) })
    }

    mutating func set(_ name: String, _ value: JSONFragment) { self[name] = value }
}
