import Foundation

/// Pseudorandom numbers that depend on the seed only (SplitMix64). The description is the seed.
public struct SeededGenerator: RandomNumberGenerator, Sendable, CustomStringConvertible {
    private let seed: UInt64
    private var state: UInt64

    /// Creates the numbers that belong to a seed.
    public init(seed: UInt64) { (self.seed, state) = (seed, seed) }

    /// Creates the numbers that belong to the seed in the environment variable `NOVABLEND_SEED`, or
    /// to a random seed.
    public init() {
        let chosen = ProcessInfo.processInfo.environment["NOVABLEND_SEED"].flatMap { UInt64($0) }
        self.init(seed: chosen ?? .random(in: 0...999_999))
    }

    /// Creates different numbers, for one of several threads. The description is that of `parent`.
    public init(splitting parent: inout SeededGenerator) {
        seed = parent.seed
        state = parent.next()
    }

    /// The environment variable with which a test gets the same numbers again, such as
    /// `NOVABLEND_SEED=1`.
    public var description: String { "NOVABLEND_SEED=\(seed)" }

    /// Returns the next pseudorandom number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
