/// What there is to say of bookings that were not made, or are not known to be.
extension Advice {
    static let booking = [
        Advice(
            1_201,
            .unavailable,
            kept: "nothing is queued: it will not be done later by itself",
            tries: ["the same when there is a connection", "novablend doctor"]
        ),
        Advice(
            1_202,
            .refused,
            happened: "the slot is taken",
            kept: nothing,
            tries: ["novablend slots SALON, which shows what is free"]
        ),
        Advice(1_203, .refused, kept: nothing, tries: ["novablend slots SALON --day DAY"]),
        Advice(
            1_210,
            .refused,
            kept: nothing,
            tries: ["novablend slots SALON --explain TIME, which names the rule"]
        ),
        Advice(
            1_204,
            .notFound,
            kept: nothing,
            tries: ["novablend salons"]
        ),
        Advice(
            1_205,
            .notFound,
            happened: "there is no such appointment",
            kept: nothing,
            tries: ["novablend appointments"]
        ),
        Advice(
            1_206,
            .inDoubt,
            happened: "it may have been done, and the answer does not tell",
            kept: "the journal has it under the key, and it is not sent again by itself",
            tries: ["novablend resolve", "the same with --key KEY, which does it at most once"]
        ),
        Advice(
            1_207,
            .conflict,
            happened: "the key was used for something else",
            kept: nothing,
            tries: ["another --key, or none"]
        ),
        Advice(
            1_208,
            .conflict,
            kept: nothing,
            tries: ["novablend appointments, which shows the version that it has now"]
        ),
    ]

    private static let nothing = "nothing was changed"
}
