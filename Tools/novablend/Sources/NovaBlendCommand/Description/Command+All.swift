extension Command {
    /// The table of commands, in the order in which help shows them.
    static let all: [Command] = [
        .salons, .slots, .book, .appointments, .reschedule, .cancel, .resolve, .cache, .doctor,
        .serve, .completions, .manual,
    ]
}
