//! The code that the page shows beside each scene: parts of the files that were compiled.

const FILES: [&str; 4] = [
    include_str!("scenes.rs"),
    include_str!("stage.rs"),
    include_str!("stage/frame.rs"),
    include_str!("curve.rs"),
];

/// Returns the lines between `// code: NAME` and `// end`, without their common indentation.
pub(crate) fn snippet(name: &str) -> Option<String> {
    let lines = FILES.iter().find_map(|file| {
        let mut lines = file.lines().skip_while(|line| line.trim().strip_prefix("// code: ") != Some(name));
        lines.next()?;
        Some(lines.take_while(|line| line.trim() != "// end").collect::<Vec<_>>())
    })?;
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let common = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let text: Vec<&str> = lines.iter().map(|line| line.get(common..).unwrap_or("")).collect();
    Some(text.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::SCENES;

    #[test]
    fn every_scene_has_code() {
        for scene in SCENES {
            let lines = |name: &&str| snippet(name).unwrap_or_default().lines().count();
            let total: usize = scene.code.iter().map(lines).sum();
            assert!(total <= 25, "{}: {total} lines are more than can be read beside a scene", scene.name);
            for name in scene.code {
                let text = snippet(name).unwrap_or_default();
                assert!(text.lines().count() >= 3, "{}: {name}", scene.name);
                assert!(!text.contains("// code:"), "{name} contains another marker");
                assert!(
                    text.lines().all(|line| line.chars().count() <= 110),
                    "{name} is too wide for the page"
                );
            }
        }
        assert_eq!(snippet("missing"), None);
    }
}
