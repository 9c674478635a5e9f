import CommandLineKit

/// The range of slots that a command asks for.
enum SlotRange {
    /// Sets `from` and `to`: the day or range that was typed, or the 24 hours after a time or now.
    @Sendable static func prepare(
        _ invocation: Invocation,
        _ times: TypedTime,
        _ params: inout Parameters
    ) throws(CommandError) {
        if let day = invocation.option("day") {
            guard !params.has("from"), !params.has("to") else {
                throw .usage("--day cannot be combined with --from or --to", of: invocation)
            }
            guard let range = times.range(of: day) else {
                throw .usage("--day must be today, tomorrow, or a date", of: invocation)
            }
            params.set("from", range.from)
            return params.set("to", range.to)
        }
        if params.has("from"), params.has("to") { return }
        guard !params.has("to") else { throw .usage("--to requires --from", of: invocation) }
        let typed = invocation.option("from") ?? invocation.option("explain")
        let from = typed.map(times.time) ?? times.current
        // The method rejects what is not a time, and describes what is one.
        let range = times.dayFrom(from) ?? (from, from)
        params.set("from", range.from)
        params.set("to", range.to)
    }
}
