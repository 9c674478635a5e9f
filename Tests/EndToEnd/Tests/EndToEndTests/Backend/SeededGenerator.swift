import Foundation

/// Pseudorandom numbers (SplitMix64). Its description is the seed, which `NOVABLEND_SEED` sets.
struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible {
    private let seed: UInt64
    private var state: UInt64

    init() {
        let chosen = ProcessInfo.processInfo.environment["NOVABLEND_SEED"].flatMap { UInt64($0) }
        seed = chosen ?? .random(in: 0...999_999)
        state = seed
    }

    /// Creates different numbers, for one of several threads. The description is that of `parent`.
    init(splitting parent: inout SeededGenerator) {
        seed = parent.seed
        state = parent.next()
    }

    var description: String { "NOVABLEND_SEED=\(seed)" }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
