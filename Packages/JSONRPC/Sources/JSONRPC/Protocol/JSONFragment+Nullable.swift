import JSON

extension JSONFragment {
    /// The JSON Schema that this encodes, extended to accept null.
    ///
    /// It adds null to `type`, which must be one type, and to `enum`. The other keywords of these
    /// schemas do not apply to null.
    func acceptingNull() -> JSONFragment {
        bytes.withUnsafeBytes { bytes in
            JSONFragment { writer in
                writer.object { writer in
                    for member in JSONScanner.memberRanges(ofObjectIn: bytes) {
                        let key = String(
                            decoding: bytes[member.key].dropFirst().dropLast(),
                            as: UTF8.self
                        )
                        let value = Array(bytes[member.value])
                        writer.member(
                            named: key,
                            JSONFragment(trusted: Self.addNull(to: value, of: key))
                        )
                    }
                }
            }
        }
    }

    private static func addNull(to value: [UInt8], of keyword: String) -> [UInt8] {
        switch keyword {
        case "type": [UInt8(ascii: "[")] + value + Array(#","null"]"#.utf8)
        case "enum": value.dropLast() + Array(",null]".utf8)
        default: value
        }
    }
}
