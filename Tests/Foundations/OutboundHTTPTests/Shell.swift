import TestPrograms

func isInstalled(_ program: String) -> Bool {
    (try? shell("command -v \(program)")) != nil
}
