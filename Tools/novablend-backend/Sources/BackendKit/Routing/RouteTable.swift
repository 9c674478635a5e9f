import HTTPServing

/// All routes, grouped by their paths.
struct RouteTable: Sendable {
    /// The routes of one path.
    struct Path: Sendable {
        let template: PathTemplate
        fileprivate(set) var routes: [Route]

        /// The supported methods, for `Allow`. A path with GET also supports HEAD.
        var methods: [String] {
            routes.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] } + ["OPTIONS"]
        }

        /// The route of a method; nil if the path does not support it.
        func route(_ method: String) -> Route? {
            let method = method == "HEAD" ? "GET" : method
            return routes.first { $0.method == method }
        }
    }

    /// The paths, in the order of their first routes.
    private(set) var paths: [Path] = []
    /// The routes, in the order of their numbers.
    private(set) var routes: [Route] = []

    /// Creates a table. If two routes have the same method and path, the first one counts.
    init(_ routes: [Route]) {
        for var route in routes {
            route.number = self.routes.count
            self.routes.append(route)
            if let index = paths.firstIndex(where: { $0.template == route.path }) {
                paths[index].routes.append(route)
            } else {
                paths.append(Path(template: route.path, routes: [route]))
            }
        }
    }

    /// The path that matches, and the value of its parameter; nil if none matches.
    func find(_ path: String) -> (path: Path, value: String)? {
        for candidate in paths {
            if let value = candidate.template.match(path) { return (candidate, value) }
        }
        return nil
    }
}
