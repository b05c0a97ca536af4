import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "gen", "eslint.config.js"] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    // node:test returns promises that it looks after itself.
    files: ["test/**"],
    rules: { "@typescript-eslint/no-floating-promises": "off" },
  },
);
