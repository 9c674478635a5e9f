import BookingStorage
import HTTPServing
import JSON
import Synchronization

extension Routes {
    static let health = [
        Route(
            method: "GET",
            path: PathTemplate("/health/live"),
            name: "getLiveness",
            summary: "Reports that the process answers requests. Does not use the database.",
            successes: [.entity(.object(healthSchema), "The process answers requests.")],
            access: .public,
            isAlwaysServed: true,
            handler: { _, _ in healthy }
        ),
        readiness(path: "/health/ready", name: "getReadiness"),
        readiness(path: "/health", name: "getHealth"),
    ]

    private static func readiness(path: String, name: String) -> Route {
        Route(
            method: "GET",
            path: PathTemplate(path),
            name: name,
            summary:
                "Reports whether new requests should be sent to the backend: it is not about to "
                + "stop, and the database can be read and changed.",
            successes: [.entity(.object(healthSchema), "The backend is ready.")],
            problems: [.storage],
            access: .public,
            isAlwaysServed: true,
            handler: { routes, _ in
                if routes.isStopping.load(ordering: .relaxed) {
                    throw Problem(.stopping, "the backend is stopping")
                }
                try await routes.healthCheck.run()
                return healthy
            }
        )
    }

    private static let healthy = ServerResponse(json: Array(#"{"status":"ok"}"#.utf8))
    private static let healthSchema = ObjectSchema([.init("status", .string(in: ["ok"]))])
}
