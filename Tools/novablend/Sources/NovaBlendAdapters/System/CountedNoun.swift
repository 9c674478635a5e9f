extension Int {
    /// The number with a noun in the singular or the plural: `1 booking`, `2 bookings`.
    ///
    /// - Parameter noun: The singular of a noun whose plural ends in `s`.
    package func counting(_ noun: String) -> String {
        "\(self) \(noun)\(self == 1 ? "" : "s")"
    }
}
