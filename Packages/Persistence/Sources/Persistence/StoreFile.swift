/// A file of a store. The caller chooses the name, and the suffix shows the kind of file.
struct StoreFile: CustomStringConvertible {
    private let name: String
    /// The name with the suffix.
    let description: String

    init(_ name: String, suffix: String) {
        self.name = name
        description = name + suffix
    }

    /// Whether the name is a safe file name on every system, and not a path: 1 to 100 characters of
    /// `a-z`, `0-9`, `-`, `_`, and `.`, without a dot at the start.
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
