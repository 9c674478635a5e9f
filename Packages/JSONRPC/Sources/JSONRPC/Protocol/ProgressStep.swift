/// One step of the progress of a call.
public struct ProgressStep: Sendable, Hashable {
    /// The number of the step in the call, starting at 1.
    public let number: Int
    /// What happens in this step, for people.
    public let message: String
    /// The summary of the method that reports the progress.
    public let title: String
    /// How much is done, in the unit of ``total``; nil if unknown.
    public let completed: Double?
    /// How much there is to do, in any unit; nil if unknown.
    public let total: Double?

    /// How much is done, from 0 to 100, rounded down; nil if unknown.
    public var percentage: Int? {
        guard let completed, let total, total > 0 else { return nil }
        // Multiply first: `completed / total * 100` is less than 58 for 29 of 50.
        let percentage = completed * 100 / total
        return percentage.isFinite ? Int(max(0, min(100, percentage))) : nil
    }
}
