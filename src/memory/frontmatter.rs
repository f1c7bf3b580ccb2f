//! frontmatter
