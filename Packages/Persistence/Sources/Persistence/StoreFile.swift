/// A file of a store: a name that the caller chose, and the suffix of its kind.
struct StoreFile: CustomStringConvertible {
    private let name: String
    /// The name with the suffix.
    let description: String

    init(_ name: String, suffix: String) {
        self.name = name
        description = name + suffix
    }

    /// Whether the name is safe as a file name on every system, and never a path: 1 to 100 of `a-z`,
    /// `0-9`, `-`, `_`, and `.`, not first a dot.
    var isValid: Bool {
        guard (1...100).contains(name.utf8.count), !name.hasPrefix(".") else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }
}
