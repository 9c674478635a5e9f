import CommandLineKit

extension MethodCommand {
    static let cache = MethodCommand(
        name: "cache",
        summary: "show, check, or clear the cache",
        details: [
            "status shows the cache and changes nothing; validate deletes what has expired or "
                + "cannot be read; clear deletes everything. Pending bookings are not affected."
        ],
        inputs: [
            .argument(
                "ACTION",
                .choice(["status", "validate", "clear"], "ACTION"),
                isRequired: false,
                "status by default"
            ),
            .dryRun,
        ],
        examples: [
            .init("novablend cache", "what is cached, and how old it is"),
            .init("novablend cache clear", "delete it"),
        ],
        methods: ["cache/status", "cache/validate", "cache/clear"],
        selectMethod: { "cache/\($0.argument("ACTION") ?? "status")" },
        view: CacheViews.show
    )
}
