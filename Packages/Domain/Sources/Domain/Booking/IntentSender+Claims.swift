extension IntentSender {
    /// How long to wait, in milliseconds, for a claim that is held elsewhere: long enough for a
    /// resolution that a program starts with.
    private static let claimPauses = [10, 20, 50, 100, 200, 400, 800, 1_600]

    static let busy = "it is being sent or resolved right now; ask again in a moment"

    /// Claims the intents of `keys`, and waits a moment for those that are claimed elsewhere. Returns
    /// the claims that it got.
    func claims(of keys: [String]) async throws(JournalError) -> [String: any IntentClaim] {
        var claims: [String: any IntentClaim] = [:]
        var pauses = Self.claimPauses[...]
        while true {
            for key in keys where claims[key] == nil { claims[key] = try journal.claim(key) }
            guard claims.count < keys.count, let pause = pauses.popFirst() else { return claims }
            do throws(CancellationError) {
                try await self.pauses.pause(milliseconds: pause)
            } catch {
                return claims
            }
        }
    }
}
