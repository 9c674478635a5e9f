/// The range of slots that is meant.
enum SlotRange {
    /// Sets `from` and `to`: a day, a range, the day from a time, or the day from now on.
    @Sendable static func prepare(
        _ invocation: Invocation,
        _ times: TypedTime,
        _ params: inout Parameters
    ) throws(CommandFailure) {
        if let day = invocation.option("day") {
            guard !params.has("from"), !params.has("to") else {
                throw .usage("--day and a range exclude each other", of: invocation.command)
            }
            guard let range = times.range(of: day) else {
                throw .usage("--day takes today, tomorrow or a date", of: invocation.command)
            }
            params.set("from", range.from)
            return params.set("to", range.to)
        }
        if params.has("from"), params.has("to") { return }
        guard !params.has("to") else {
            throw .usage("--to needs --from", of: invocation.command)
        }
        let typed = invocation.option("from") ?? invocation.option("explain")
        let from = typed.map(times.time) ?? times.current
        // What is no time is refused by the method, which says what one is.
        let range = times.dayFrom(from) ?? (from, from)
        params.set("from", range.from)
        params.set("to", range.to)
    }
}
