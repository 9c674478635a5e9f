/// The 64-bit FNV-1a hash. It is used for file names and is not secure: collisions are easy to
/// construct.
package enum FNV1a {
    package static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
