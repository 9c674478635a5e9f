/// Random numbers that depend on the seed only (SplitMix64).
struct RandomNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0xD1B5_4A32_D192_ED03 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A number of the range.
    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

    /// An element; the list must not be empty.
    mutating func element<Element>(_ list: [Element]) -> Element {
        list[number(0...list.count - 1)]
    }

    /// Whether something with this probability happens.
    mutating func isTrue(percent: Int) -> Bool { number(1...100) <= percent }
}
